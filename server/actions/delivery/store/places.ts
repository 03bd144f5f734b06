// SQL of the table delivery_places: the address book of each account.
import { type Db, jsonb, toIso, toMs, type Tx } from "../../../store/db.ts";
import { type AddressWords, addressWords } from "../engine/places/address-words.ts";
import type { Sighting } from "../engine/places/learned.ts";
import { isSameAddress } from "../engine/places/same-address.ts";

export interface PlaceRow {
  id: string;
  tenantId: number;
  address: string;
  words: AddressWords;
  geocoded: { lat: number; lon: number } | null;
  sightings: Sighting[];
  createdMs: number;
  updatedMs: number;
}

const MAX_CANDIDATES = 300;

export function createPlaceStore(db: Db) {
  async function candidates(tx: Tx, tenantId: number, words: AddressWords): Promise<PlaceRow[]> {
    const rows = await tx`
      select * from delivery_places where keys && ${textArray(keysOf(tenantId, words))}::text[] and tenant_id = ${tenantId}
      order by updated_at desc limit ${MAX_CANDIDATES}`;
    return rows.map(placeRow);
  }

  async function findSame(
    tx: Tx,
    tenantId: number,
    address: string,
    at: PlaceRow["geocoded"],
  ): Promise<PlaceRow | null> {
    const words = addressWords(address);
    const found = await candidates(tx, tenantId, words);
    return (
      found.find((place) => place.address === address) ??
      found.find((place) => isSameAddress({ words, at }, { words: place.words, at: place.geocoded })) ??
      null
    );
  }

  return {
    findSame,
    find: (tenantId: number, address: string, at: PlaceRow["geocoded"]) => findSame(db.sql, tenantId, address, at),
    async save(tx: Tx, row: PlaceRow): Promise<void> {
      await tx`
        insert into delivery_places (id, tenant_id, address, words, keys, geocoded, sightings, created_at, updated_at)
        values (${row.id}, ${row.tenantId}, ${row.address}, ${jsonb(row.words)}::text::jsonb,
          ${textArray(keysOf(row.tenantId, row.words))}::text[], ${jsonb(row.geocoded)}::text::jsonb,
          ${jsonb(row.sightings)}::text::jsonb, ${toIso(row.createdMs)}::timestamptz, ${toIso(row.updatedMs)}::timestamptz)
        on conflict (id) do update set sightings = excluded.sightings, updated_at = excluded.updated_at`;
    },
    async list(tenantId: number, after: string | null, count: number): Promise<PlaceRow[]> {
      const rows = await db.sql`
        select * from delivery_places where tenant_id = ${tenantId} and (${after}::text is null or id < ${after})
        order by id desc limit ${count}`;
      return rows.map(placeRow);
    },
    async remove(tx: Tx, tenantId: number, id: string): Promise<boolean> {
      const gone = await tx`delete from delivery_places where id = ${id} and tenant_id = ${tenantId} returning 1`;
      return gone.length > 0;
    },
  };
}

/** One key per number, or the first names where there is none; each with its tenant. */
function keysOf(tenantId: number, { numbers, names }: AddressWords): string[] {
  return (numbers.length > 0 ? numbers : names.toSorted().slice(0, 1)).map((word) => `${tenantId} ${word}`);
}

/** The driver passes arrays of text most safely as the text of an array. */
const textArray = (values: string[]): string =>
  `{${values.map((value) => `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`).join(",")}}`;

const placeRow = (r: any): PlaceRow => ({
  id: r.id,
  tenantId: r.tenant_id,
  address: r.address,
  words: r.words,
  geocoded: r.geocoded,
  sightings: r.sightings,
  createdMs: toMs(r.created_at),
  updatedMs: toMs(r.updated_at),
});
