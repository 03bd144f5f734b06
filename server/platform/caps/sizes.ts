// What a row weighs beside its longest column, in bytes, where only that column is measured; the same numbers stand in the triggers
// of migrations 0091 and 0092, so that removing a row subtracts what adding it added.

export const BYTES_BESIDE = { deliveries: 700, events: 200, idempotency_records: 150 };
