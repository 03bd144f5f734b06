// One row of an imported file, whatever its format. Data, no logic.

export interface ImportedRow {
  kind: "postcode" | "place" | "address" | "street";
  lat: number;
  lon: number;
  /** Two letters; filled in from the nearest known city when empty. */
  country: string;
  /** The postcode, the place, the street. */
  name: string;
  number?: string;
  /** The place a postcode or street belongs to. */
  place?: string;
  population?: number;
  alternates?: string[];
}
