// Where a row comes from: the data family that gathered it and the maker of the model that wrote it. Both are left out whole.

/** Sources that share prompts, pages or authors are one family. First match decides; else the source is its own family. */
const FAMILIES: [RegExp, string][] = [
  [/arena-hard-auto/i, "arena-hard"],
  [/^danielrosehill\//, "danielrosehill"],
  [/stackexchange|StackExchange/, "stackexchange"],
  [/^openstax\//, "openstax"],
  [/^18F\/|^GSA\/|alphagov/, "government sites"],
  [/nltk_data\/(state_union|inaugural)/, "presidents"],
  [/nltk_data\/product_reviews/, "product_reviews"],
  [/WikiTasks|CourseProject|mlm-pipeline|Wikipedia_Json2conll|^xquad|^fast-detect-gpt|FActScore/, "wikipedia"],
  [/litbank|llm-stylometry/, "gutenberg"],
  [/^Debian/, "debian"],
  [/^rust-lang|^ethereum|kubernetes|django|windows-driver|^github\//, "software projects"],
  [/elife|pubmedqa|CRAFT/, "biomedical"],
  [/acl-anthology|scitldr|Mapping-the-Increasing/, "abstracts"],
];

export function familyOf(source: string): string {
  return FAMILIES.find(([pattern]) => pattern.test(source))?.[1] ?? source;
}

/** The maker of the base model: a fine-tune of Llama writes more like Llama than like its tuner's other work. */
const MAKERS: [RegExp, string][] = [
  [/pythia|gpt-?neo|gpt-?j\b|oasst-1_|oasst-sft-[0-2]|oasst-rl-1|chip_3b|javelin|javalion|gpt-r\b/i, "eleuther"],
  [/claude(?!2-alpaca)/i, "anthropic"],
  [/gemini|gemma|bard|palm|flan-(t5|ul2)|flan-ul2/i, "google"],
  [/falcon/i, "tii"],
  [/starcoder/i, "bigcode"],
  [/qwen|qwq|causallm/i, "alibaba"],
  [/mistral|mixtral|zephyr|starling|merlinite|snorkel|openhermes|storm-7b|deita|conifer|ghost-7b|evo-/i, "mistral"],
  [
    /llama|alpaca|vicuna|guanaco|tulu|wizardlm|koala|xwin|openchat|airoboros|hermes|checkpoint-3500|^7b$|chip2|humpback|ultralm|baize|krikri|athene|euryale|minotaur|platolm|samba|tower|alma|oasst-(sft|rlhf)-[3-9]|minichat/i,
    "meta",
  ],
  [/deepseek/i, "deepseek"],
  [/gpt|davinci|chatgpt|^o[134]\b|^o[134]-|optimus-alpha|quasar-alpha|codex|bing/i, "openai"],
  [/command|aya|cohere/i, "cohere"],
  [/phi-/i, "microsoft"],
  [/yi-|glm|internlm|kimi|baichuan|nanbeige/i, "other chinese"],
];

export function makerOf(generator: string): string {
  return MAKERS.find(([pattern]) => pattern.test(generator))?.[1] ?? "other";
}
