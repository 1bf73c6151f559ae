import { homedir } from "node:os";
import { LOG_LEVELS } from "../kernel/log.js";
import { trimEndOf } from "../kernel/trim-end.js";

/** Parses a setting; an error is a sentence that says what would be valid. */
interface Kind<T> {
  form: string;
  parse(text: string): T;
}
export interface Setting<T> extends Kind<T> {
  fallback: T;
  about: string;
  /** Never printed, not even by doctor. */
  secret?: boolean;
}

const int = (min: number, max: number, unit?: string): Kind<number> => {
  const form = `a whole number${unit ? ` of ${unit}` : ""} from ${min} to ${max}`;
  return {
    form,
    parse(text) {
      const value = Number(text);
      if (!/^-?\d+$/.test(text) || value < min || value > max) throw new Error(`must be ${form}`);
      return value;
    },
  };
};
export const SWITCH_WORD = /^(true|false|1|0|yes|no|on|off)$/i;
const bool: Kind<boolean> = {
  form: "true or false",
  parse(text) {
    if (!SWITCH_WORD.test(text)) throw new Error("must be true or false");
    return /^(true|1|yes|on)$/i.test(text);
  },
};
const oneOf = <const T extends string>(...values: readonly T[]): Kind<T> => ({
  form: `one of ${values.join(", ")}`,
  parse(text) {
    const value = values.find((candidate) => candidate === text.toLowerCase());
    if (value === undefined) throw new Error(`must be one of ${values.join(", ")}`);
    return value;
  },
});
const list: Kind<string[]> = {
  form: "names separated by commas",
  parse: (text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean),
};
const word: Kind<string | undefined> = { form: "text", parse: (text) => text };
const path: Kind<string> = { form: "a folder or file", parse: (text) => text.replace(/^~(?=$|[/\\])/, homedir()) };
const optionalPath: Kind<string | undefined> = path;
const url: Kind<string | undefined> = {
  form: "an http(s) address",
  parse(text) {
    const parsed = URL.canParse(text) ? new URL(text) : undefined;
    if (!parsed || !/^https?:$/.test(parsed.protocol)) throw new Error("must be an http:// or https:// address");
    return trimEndOf(text, /\//);
  },
};
const redisUrl: Kind<string | undefined> = {
  form: "a redis:// or rediss:// address",
  parse(text) {
    if (!URL.canParse(text) || !/^rediss?:$/.test(new URL(text).protocol))
      throw new Error("must be a redis:// or rediss:// address");
    return text;
  },
};

const setting = <T>(kind: Kind<T>, fallback: T, about: string, more: { secret?: boolean } = {}): Setting<T> => ({
  ...kind,
  fallback,
  about,
  ...more,
});

/** Every setting: its variable, its flag (the same in kebab-case), its bounds and its words. Docs and doctor read this table. */
export const SETTINGS = {
  PORT: setting(int(0, 65535), 8080, "Port of the HTTP server."),
  HOST: setting(
    word,
    "127.0.0.1",
    "Address to listen on. Any but loopback needs BOOKWHEEL_TOKEN for the notebooks and chunks shelves.",
  ),
  ALLOWED_HOSTS: setting(list, [], "Host names the server answers to, beside loopback."),
  TRUSTED_PROXIES: setting(
    list,
    [],
    "Addresses of proxies whose X-Real-IP is believed when wrong tokens are counted, such as 127.0.0.1.",
  ),
  TLS_CERT_FILE: setting(
    optionalPath,
    undefined,
    "Certificate (PEM) for HTTPS without a proxy; reloaded when it changes.",
  ),
  TLS_KEY_FILE: setting(optionalPath, undefined, "Private key (PEM) of that certificate."),
  LOG_LEVEL: setting(oneOf(...LOG_LEVELS), "info", "How much is logged, as JSON lines on stderr."),
  READ_ONLY: setting(bool, false, "Offer only tools that change nothing."),
  BOOKWHEEL_HOME: setting(
    path,
    "",
    "Folder of the embedded store and the browser profile; the platform's data folder where unset.",
  ),
  BOOKWHEEL_SHELVES: setting(list, ["readwise", "notebooks", "chunks"], "Which shelves exist."),
  BOOKWHEEL_TOKEN: setting(word, undefined, "The server's own bearer token.", { secret: true }),
  READWISE_PROFILES: setting(
    list,
    ["readwise"],
    "Readwise tools on offer: readwise, reader, write, video, destructive, or basic, all.",
  ),
  NOTEBOOK_PROFILES: setting(list, ["default"], "Notebook tools on offer: default, or all with the destructive ones."),
  CHUNK_PROFILES: setting(list, ["default"], "Chunk tools on offer: default, or all with the destructive ones."),
  READWISE_API_URL: setting(url, "https://readwise.io", "Where the Readwise API is."),
  READWISE_API_KEY: setting(word, undefined, "Your Readwise key, for stdio and the command line only.", {
    secret: true,
  }),
  UPSTREAM_TIMEOUT_MS: setting(int(100, 600_000), 30_000, "Deadline of one request to Readwise."),
  CACHE_ENABLED: setting(bool, true, "Keep Readwise answers for a while."),
  CACHE_MAX_SIZE_MB: setting(int(1, 65_536), 128, "Memory the cache may use."),
  CACHE_TTL_SECONDS: setting(int(1, 86_400), 300, "How long cached answers live; tags live twice as long."),
  READWISE_MEANING: setting(
    bool,
    true,
    "Find highlights and documents by meaning too. Their vectors are made in the background and kept in BOOKWHEEL_HOME; needs CACHE_ENABLED.",
  ),
  READWISE_MEANING_MAX_MB: setting(
    int(1, 65_536),
    512,
    "Disk those vectors may use; the least recently used are deleted.",
  ),
  NOTEBOOK_BACKEND: setting(
    oneOf("local", "google"),
    "local",
    "Where notebooks live: on this machine, or in your NotebookLM account.",
  ),
  NOTEBOOK_RATE_LIMITS: setting(
    bool,
    undefined as boolean | undefined,
    "Limit notebook calls (10 per minute, 5 for add_source and ask). On for google, off for local.",
  ),
  NOTEBOOKLM_TIMEOUT: setting(
    int(1, 180, "seconds"),
    undefined as number | undefined,
    "Seconds a notebook tool may take, up to the contract's maximum.",
  ),
  NOTEBOOKLM_URL: setting(url, "https://notebook.google.com", "Where NotebookLM is."),
  NOTEBOOKLM_PROFILE_PATH: setting(
    optionalPath,
    undefined,
    "Browser profile for NotebookLM; default under BOOKWHEEL_HOME.",
  ),
  NOTEBOOKLM_AUTHUSER: setting(
    word,
    undefined,
    "Account to use where the profile is signed in to several: its e-mail, or its number from 0.",
  ),
  NOTEBOOKLM_BROWSER: setting(
    optionalPath,
    undefined,
    "Chrome or Chromium to use; found by itself in the usual places.",
  ),
  CHUNK_MAX_TOP_K: setting(
    int(1, 20),
    20,
    "Most items find_chunks and query_hybrid answer with, whatever top_k asks for.",
  ),
  CHUNK_MAX_CHARS: setting(int(200, 6_000), 1_800, "Characters of a passage's text in their answers (render_text)."),
  BOOKWHEEL_LLM_URL: setting(url, undefined, "OpenAI-compatible server that writes notebook answers."),
  BOOKWHEEL_LLM_MODEL: setting(
    word,
    "default",
    "Model to ask there; a server with a single one may not mind the name.",
  ),
  BOOKWHEEL_LLM_API_KEY: setting(word, undefined, "Key for it.", { secret: true }),
  BOOKWHEEL_EMBED_URL: setting(url, undefined, "OpenAI-compatible server that embeds, instead of the built-in model."),
  BOOKWHEEL_EMBED_MODEL: setting(word, undefined, "Model to ask there."),
  BOOKWHEEL_EMBED_API_KEY: setting(word, undefined, "Key for it.", { secret: true }),
  BOOKWHEEL_EMBED_MODEL_DIR: setting(
    optionalPath,
    undefined,
    "Folder of a sentence-transformers model with an ONNX graph that embeds here, instead of the built-in model.",
  ),
  HF_ENDPOINT: setting(url, "https://huggingface.co", "Model hub that 'bookwheel model add' fetches from."),
  HF_TOKEN: setting(word, undefined, "Token for that hub; gated and private models need one.", { secret: true }),
  BOOKWHEEL_ALLOW_PRIVATE_URLS: setting(bool, false, "Let add_source fetch private and loopback addresses."),
  BOOKWHEEL_INGEST_ROOTS: setting(list, [], "Folders that ingest_documents and add_source may read."),
  BOOKWHEEL_BIBLIOGRAPHY: setting(list, [], "BibTeX, CSL-JSON or RIS files that name your documents."),
  BOOKWHEEL_OCR: setting(
    word,
    undefined,
    "Language of text recognition for scanned PDFs and pictures, such as eng or deu+eng; needs tesseract and pdftoppm. Off if left out.",
  ),
  ZOTERO_URL: setting(url, undefined, "A running Zotero's local API, such as http://127.0.0.1:23119."),
  QDRANT_URL: setting(url, undefined, "Keep chunks in Qdrant instead of the embedded store."),
  QDRANT_API_KEY: setting(word, undefined, "Key for it.", { secret: true }),
  REDIS_URL: setting(redisUrl, undefined, "Share the Readwise cache and limits between replicas.", { secret: true }),
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
export type SettingValues = { readonly [K in SettingName]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never };

/** `READWISE_PROFILES` is `--readwise-profiles`. */
export const flagOf = (name: SettingName) => name.toLowerCase().replaceAll("_", "-");

/** A setting that is either on or off: its flag needs no value. */
export const isSwitch = ({ parse }: Setting<unknown>) => parse === bool.parse;
