// Rows and analyses as the answers and events of the contract.
import { formatTime } from "../../lib/time.ts";
import type { Analysis, StoredAnalysis } from "./contract.ts";
import type { AnalysisRow } from "./store.ts";

export function viewStored(row: AnalysisRow): StoredAnalysis {
  return { ...row.analysis, content: row.content, created_at: formatTime(row.createdMs) };
}

/** The data of a `detector.flagged` event. */
export function viewFlagged(analysis: Analysis, threshold: number) {
  const { analysis_id, id, type, verdict, score, words, source_url } = analysis;
  return { analysis_id, id, type, verdict, score, threshold, words, source_url };
}
