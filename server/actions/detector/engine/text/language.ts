// Recognises English, the only language the models know, and names the other language where it can.
import { canonicalise, newTokens, type Tokens } from "./canonical.ts";

const COMMON: Record<string, string> = {
  en: "the of and to a in that is was for it with as on be at by this had not are but from or have an they which you were her she there would their we him been has when who will no more if out so up what about into than them can only some could my i your do our all one his he how like just its me also these because most should while where many such other between through after before over then very any may each",
  es: "de la que el en los se del las un por con una su para es al lo como más pero sus le ya este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante",
  fr: "de la le et les des en un du une que est pour qui dans par plus pas au sur ne se ce il sont avec mais nous vous elle été ont cette ses être aux leur comme fait tout",
  de: "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber",
  it: "di che la il un per è una in non sono le si con del da come anche più ma al alla dei nel della questo gli delle essere ha lo",
  pt: "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está",
  nl: "de van het een en in is dat op te zijn met voor niet aan er om ook als maar dan bij nog uit wel naar heeft worden door hij ze werd",
  sv: "och att det i en som på är av för med till den har de inte om ett men var jag från sig så kan vi efter eller när",
  pl: "w i na z do się nie to że jest o jak po co od za a przez dla tym są być ale oraz który",
  ro: "de și în a la cu pe nu că o din care este un pentru mai au fi sau ca",
  tr: "ve bir bu da de için ile olarak daha çok olan gibi kadar sonra ama en var ne",
  id: "yang dan di dari ini untuk dengan itu pada tidak dalam adalah akan oleh ke juga sebagai",
  vi: "là và của có cho không được trong một những các với người này đã khi",
};

const SCRIPTS: [RegExp, string][] = [
  [/[\u3040-\u30ff]/g, "ja"],
  [/[\uac00-\ud7af]/g, "ko"],
  [/[\u4e00-\u9fff]/g, "zh"],
  [/[\u0400-\u04ff]/g, "ru"],
  [/[\u0370-\u03ff]/g, "el"],
  [/[\u0600-\u06ff]/g, "ar"],
  [/[\u0590-\u05ff]/g, "he"],
  [/[\u0900-\u097f]/g, "hi"],
  [/[\u0e00-\u0e7f]/g, "th"],
];

const CODES = Object.keys(COMMON);
/** Which languages a word is common in, one bit each. */
const languagesOf = new Map<number, number>();
CODES.forEach((code, bit) => {
  for (const hash of hashesOf(COMMON[code])) languagesOf.set(hash, (languagesOf.get(hash) ?? 0) | (1 << bit));
});

function hashesOf(words: string): Set<number> {
  const tokens = newTokens();
  canonicalise(words, tokens);
  return new Set(tokens.hashes.subarray(0, tokens.count));
}

const hits = new Uint32Array(CODES.length);
const SAMPLE_TOKENS = 600;

export interface Language {
  /** ISO 639-1 code, or null where none was recognised. */
  code: string | null;
  isEnglish: boolean;
}

/** English when function words are as frequent as in English; letters alone do not decide. */
export function detectLanguage(text: string, t: Tokens): Language {
  let words = 0;
  hits.fill(0);
  const n = Math.min(t.count, SAMPLE_TOKENS);
  for (let i = 0; i < n; i++) {
    if (t.isWord[i] === 0) continue;
    words++;
    const bits = languagesOf.get(t.hashes[i]);
    if (bits === undefined) continue;
    for (let b = 0; b < CODES.length; b++) hits[b] += (bits >> b) & 1;
  }
  let best = 1;
  for (let b = 2; b < CODES.length; b++) if (hits[b] > hits[best]) best = b;
  const english = hits[0] / Math.max(1, words);
  const share = hits[best] / Math.max(1, words);
  const rival = CODES[best];
  if (english >= 0.2 && english >= share * 1.15) return { code: "en", isEnglish: true };
  return {
    code: scriptOf(text) ?? (share >= 0.1 ? rival : english >= 0.12 && english > share ? "en" : null),
    isEnglish: false,
  };
}

function scriptOf(text: string): string | null {
  const sample = text.slice(0, 4_000);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  for (const [pattern, code] of SCRIPTS) {
    const hits = sample.match(pattern)?.length ?? 0;
    if (hits > letters * (code === "ja" || code === "zh" ? 0.15 : 0.4)) return code;
  }
  return null;
}
