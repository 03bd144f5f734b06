// Rows and analyses as the answers and events of the contract.
import { formatTime } from "../../lib/time.ts";
import type { Batch } from "./contract/batches.ts";
import type { Analysis, AnalysisSummary, StoredAnalysis } from "./contract/shapes.ts";
import type { AnalysisRow, BatchRow } from "./store.ts";

const EXCERPT_CHARACTERS = 120;

export function viewStored(row: AnalysisRow): StoredAnalysis {
  return { ...row.analysis, content: row.content, created_at: formatTime(row.createdMs) };
}

export function viewSummary({ analysis, content, createdMs }: AnalysisRow): AnalysisSummary {
  const { analysis_id, id, type, verdict, score, confidence, abstained_because, words, source_url } = analysis;
  const excerpt = type === "text" ? [...(content ?? "")].slice(0, EXCERPT_CHARACTERS).join("") : "";
  const created_at = formatTime(createdMs);
  return {
    analysis_id,
    id,
    type,
    verdict,
    score,
    confidence,
    abstained_because,
    words,
    source_url,
    excerpt,
    created_at,
  };
}

/** The data of a `detector.flagged` event. */
export function viewFlagged(analysis: Analysis, threshold: number) {
  const { analysis_id, id, type, verdict, score, words, source_url } = analysis;
  return { analysis_id, id, type, verdict, score, threshold, words, source_url };
}

export function viewBatch(row: BatchRow): Batch {
  return {
    batch_id: row.id,
    status: row.completedMs === null ? "running" : "completed",
    total: row.total,
    done: row.done,
    flagged: row.flagged,
    failed: row.failed,
    created_at: formatTime(row.createdMs),
    completed_at: row.completedMs === null ? null : formatTime(row.completedMs),
  };
}
