// biblatex stores these words as keys and prints them in the document's language.

const TYPES: Readonly<Record<string, string>> = {
  phdthesis: "PhD thesis",
  mathesis: "Master’s thesis",
  mastersthesis: "Master’s thesis",
  bathesis: "Bachelor’s thesis",
  candthesis: "Candidate thesis",
  techreport: "Technical report",
  resreport: "Research report",
  software: "Computer software",
  datacd: "Data CD",
  audiocd: "Audio CD",
  patent: "Patent",
  patreq: "Patent request",
  newseries: "New series",
  oldseries: "Old series",
};
const COUNTRIES: Readonly<Record<string, readonly [name: string, adjective: string]>> = {
  de: ["Germany", "German"],
  eu: ["European Union", "European"],
  ep: ["European Union", "European"],
  fr: ["France", "French"],
  uk: ["United Kingdom", "British"],
  us: ["United States of America", "U.S."],
  wo: ["World Intellectual Property Organization", "International"],
};

/** The text a biblatex key prints; any other text unchanged. */
export function wordOfKey(key: string): string {
  const type = TYPES[key.toLowerCase()];
  if (type) return type;
  const [, kind, code] = /^(country|patent|patreq)([a-z]{2})$/i.exec(key) ?? [];
  const country = COUNTRIES[code?.toLowerCase() ?? ""];
  if (!kind || !country) return key;
  const [name, adjective] = country;
  if (kind.toLowerCase() === "country") return name;
  return `${adjective} patent${kind.toLowerCase() === "patreq" ? " request" : ""}`;
}

const LANGUAGES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    en: "english american usenglish british ukenglish canadian australian newzealand",
    de: "german ngerman germanb austrian naustrian swissgerman nswissgerman",
    fr: "french francais acadian canadien",
    es: "spanish mexican castilian",
    pt: "portuguese portuges brazilian brazil",
    el: "greek polutonikogreek",
    nb: "norwegian norsk",
    nn: "nynorsk",
    it: "italian",
    la: "latin",
    nl: "dutch",
    da: "danish",
    sv: "swedish",
    fi: "finnish",
    pl: "polish",
    cs: "czech",
    sk: "slovak",
    sl: "slovene slovenian",
    hr: "croatian",
    sr: "serbian serbianc",
    hu: "hungarian magyar",
    ro: "romanian",
    bg: "bulgarian",
    ru: "russian",
    uk: "ukrainian",
    tr: "turkish",
    he: "hebrew",
    ar: "arabic",
    fa: "persian farsi",
    zh: "chinese",
    ja: "japanese",
    ko: "korean",
    ca: "catalan",
    eu: "basque",
    gl: "galician",
    et: "estonian",
    lv: "latvian",
    lt: "lithuanian",
    is: "icelandic",
    eo: "esperanto",
  }).flatMap(([code, names]) => names.split(" ").map((name) => [name, code])),
);

/** The code of a language by babel's or biblatex's name for it; codes and unknown names stay as they are. */
export function languageCode(name: string): string {
  return LANGUAGES[name.toLowerCase().replace(/^lang(?=[a-z]{4})/, "")] ?? name;
}
