// Short names of regions that people write in addresses but the gazetteer does not carry. Data only.

/** GeoNames numbers Canada's provinces; people write two letters. */
export const canadianProvinces: Record<string, string> = {
  AB: "01", BC: "02", MB: "03", NB: "04", NL: "05", NS: "07", ON: "08", PE: "09", QC: "10", SK: "11", YT: "12", NT: "13", NU: "14",
};

export const australianStates: Record<string, string> = {
  ACT: "01", NSW: "02", NT: "03", QLD: "04", SA: "05", TAS: "06", VIC: "07", WA: "08",
};

/** Names of countries that no list of official names holds. */
export const countryNicknames: Record<string, string[]> = {
  US: ["usa", "u s a", "u s", "america", "united states of america", "etats unis", "estados unidos", "vereinigte staaten"],
  GB: ["uk", "u k", "great britain", "britain", "england", "scotland", "wales", "northern ireland", "gb"],
  AE: ["uae", "emirates"],
  NL: ["holland", "the netherlands", "pays bas"],
  CZ: ["czech republic", "czechia"],
  KR: ["south korea", "korea"],
  KP: ["north korea"],
  CD: ["drc", "dr congo", "congo kinshasa"],
  CI: ["ivory coast", "cote divoire"],
  RU: ["russia", "russian federation"],
  TW: ["taiwan"],
  TR: ["turkey", "turkiye"],
  VN: ["viet nam", "vietnam"],
  CN: ["prc", "china"],
  MM: ["burma"],
  MK: ["macedonia"],
};

/** Languages whose names of countries are worth knowing. */
export const languages = [
  "en", "fr", "de", "es", "it", "pt", "nl", "pl", "sv", "da", "nb", "fi", "cs", "sk", "hu", "ro", "hr", "sl", "tr", "el", "ru", "uk",
  "bg", "ar", "he", "fa", "hi", "th", "vi", "id", "ja", "ko", "zh",
];
