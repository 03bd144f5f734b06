// SQL of the detector: kept analyses and batches. The only file that knows its tables.
import type { Mode } from "../../contract/define.ts";
import type { Db, Tx } from "../../store/db.ts";
import type { Analysis, ItemError } from "./contract/shapes.ts";
import type { BatchRequest } from "./contract/batches.ts";

export interface AnalysisRow {
  analysis: Analysis;
  content: string | null;
  createdMs: number;
}

export interface BatchRow {
  id: string;
  tenantId: number;
  mode: Mode;
  /** The request without its items. */
  terms: Omit<BatchRequest, "items">;
  total: number;
  done: number;
  flagged: number;
  failed: number;
  createdMs: number;
  completedMs: number | null;
}

export interface BatchItemRow {
  position: number;
  item: BatchRequest["items"][number];
}

export interface BatchResultRow {
  position: number;
  result: Analysis | ItemError;
}

const isoOf = (ms: number) => new Date(ms).toISOString();

export async function insertAnalysis(
  tx: Tx,
  tenantId: number,
  analysis: Analysis,
  content: string,
  nowMs: number,
): Promise<void> {
  await tx`
    insert into detector_analyses (id, tenant_id, analysis, content, created_at)
    values (${analysis.analysis_id}, ${tenantId}, ${JSON.stringify(analysis)}::text::jsonb, ${content}, ${isoOf(nowMs)})`;
}

export async function findAnalysis(db: Db, tenantId: number, id: string): Promise<AnalysisRow | null> {
  const [row] = await db.sql`
    select analysis, content, created_at from detector_analyses where tenant_id = ${tenantId} and id = ${id}`;
  return row ? analysisRow(row) : null;
}

/** Newest first, behind `before`; of the content only the beginning. */
export async function listAnalyses(
  db: Db,
  query: { tenantId: number; verdict: string | null; before: string | null; count: number },
): Promise<AnalysisRow[]> {
  const rows = await db.sql`
    select analysis, left(content, 200) as content, created_at from detector_analyses
    where tenant_id = ${query.tenantId} and (${query.before}::text is null or id < ${query.before})
      and (${query.verdict}::text is null or analysis->>'verdict' = ${query.verdict})
    order by id desc limit ${query.count}`;
  return rows.map(analysisRow);
}

export async function deleteAnalysis(tx: Tx, tenantId: number, id: string): Promise<boolean> {
  const rows = await tx`delete from detector_analyses where tenant_id = ${tenantId} and id = ${id} returning id`;
  return rows.length > 0;
}

const PRUNE_ROWS = 500;

/** Deletes what is older, in small statements so that the tables are never held for long. Returns how many went. */
export async function deleteOlderThan(db: Db, oldestMs: number): Promise<number> {
  let total = 0;
  for (;;) {
    const analyses = await db.sql`
      delete from detector_analyses where id in
        (select id from detector_analyses where created_at < ${isoOf(oldestMs)} limit ${PRUNE_ROWS}) returning id`;
    const batches = await db.sql`
      delete from detector_batches where id in
        (select id from detector_batches where created_at < ${isoOf(oldestMs)} limit ${PRUNE_ROWS}) returning id`;
    total += analyses.length + batches.length;
    if (analyses.length + batches.length === 0) return total;
  }
}

export async function insertBatch(
  tx: Tx,
  batch: { id: string; tenantId: number; request: BatchRequest; nowMs: number },
): Promise<void> {
  const { items, ...terms } = batch.request;
  await tx`
    insert into detector_batches (id, tenant_id, terms, total, created_at)
    values (${batch.id}, ${batch.tenantId}, ${JSON.stringify(terms)}::text::jsonb, ${items.length}, ${isoOf(batch.nowMs)})`;
  await tx`
    insert into detector_batch_items (batch_id, position, item)
    select ${batch.id}, (ordinality - 1)::int, value
    from jsonb_array_elements(${JSON.stringify(items)}::text::jsonb) with ordinality`;
}

export async function findBatch(tx: Tx, tenantId: number | null, id: string): Promise<BatchRow | null> {
  const [row] = await tx`
    select b.id, b.tenant_id as "tenantId", t.mode, b.terms, b.total, b.created_at, b.completed_at,
      count(i.result)::int as done, count(*) filter (where i.result->>'verdict' = 'likely_ai')::int as flagged,
      count(*) filter (where i.result ? 'error')::int as failed
    from detector_batches b join tenants t on t.id = b.tenant_id
      left join detector_batch_items i on i.batch_id = b.id
    where b.id = ${id} and (${tenantId}::int is null or b.tenant_id = ${tenantId})
    group by b.id, t.mode`;
  if (!row) return null;
  const { created_at, completed_at, ...counts } = row;
  return { ...counts, createdMs: created_at.getTime(), completedMs: completed_at?.getTime() ?? null };
}

export async function countOpenBatches(tx: Tx, tenantId: number): Promise<number> {
  const [{ open }] = await tx`
    select count(*)::int as open from detector_batches where tenant_id = ${tenantId} and completed_at is null`;
  return open;
}

export async function listOpenBatches(db: Db): Promise<string[]> {
  const rows: { id: string }[] = await db.sql`select id from detector_batches where completed_at is null order by id`;
  return rows.map(({ id }) => id);
}

/** The first items that have no result yet. */
export async function nextItems(db: Db, batchId: string, count: number): Promise<BatchItemRow[]> {
  return db.sql`
    select position, item from detector_batch_items
    where batch_id = ${batchId} and result is null order by position limit ${count}`;
}

/** Keeps the result and forgets the item: nothing of the content stays. False when another run was first. */
export async function saveResult(tx: Tx, batchId: string, row: BatchResultRow): Promise<boolean> {
  const saved = await tx`
    update detector_batch_items set result = ${JSON.stringify(row.result)}::text::jsonb, item = null
    where batch_id = ${batchId} and position = ${row.position} and result is null returning position`;
  return saved.length > 0;
}

/** True for the one run that completes the batch. */
export async function completeBatch(tx: Tx, batchId: string, nowMs: number): Promise<boolean> {
  const rows = await tx`
    update detector_batches set completed_at = ${isoOf(nowMs)}
    where id = ${batchId} and completed_at is null returning id`;
  return rows.length > 0;
}

export async function listResults(db: Db, batchId: string, after: number, count: number): Promise<BatchResultRow[]> {
  return db.sql`
    select position, result from detector_batch_items
    where batch_id = ${batchId} and result is not null and position > ${after} order by position limit ${count}`;
}

function analysisRow(row: { analysis: Analysis; content: string | null; created_at: Date }): AnalysisRow {
  return { analysis: row.analysis, content: row.content, createdMs: row.created_at.getTime() };
}
