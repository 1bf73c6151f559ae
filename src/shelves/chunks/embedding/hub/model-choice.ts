import { basename, dirname } from "node:path/posix";
import { isWeightsOf } from "../model-files.js";
import { HubError, type HubFile, type Listing } from "./model-hub.js";

/** A file and the model it is fetched from: a converted model may lack what only its original has. */
export interface Wanted {
  name: string;
  revision: string;
  file: HubFile;
}

const NEEDED = ["config.json", "tokenizer.json"];
const USEFUL = ["tokenizer_config.json", "special_tokens_map.json"];
/** How token vectors become one, in sentence-transformers' own files. */
const SENTENCE_FILES = [
  "modules.json",
  "1_Pooling/config.json",
  "sentence_bert_config.json",
  "config_sentence_transformers.json",
];
const POOLING = "1_Pooling/config.json";

export interface Machine {
  arch: string;
  /** Whether the processor has an instruction set, by its name on Linux. */
  has(feature: string): boolean;
}

/** Whether a listing lacks what its original may have. */
export const lacksPooling = ({ files }: Listing): boolean => !files.some(({ path }) => path === POOLING);

/** The files of a model that are needed to run it, the small ones first. */
export function chooseFiles(
  listing: Listing,
  { original, file, machine }: { original?: Listing | undefined; file?: string | undefined; machine: Machine },
): { graph: string; wanted: Wanted[] } {
  const { name, files } = listing;
  const missing = NEEDED.find((path) => !files.some((each) => each.path === path));
  if (missing) throw new HubError(`${name} has no ${missing}, so it cannot be used here.`);
  const graph = graphIn(listing, file, machine);
  const own = files.filter(
    ({ path }) =>
      [...NEEDED, ...USEFUL, ...SENTENCE_FILES].includes(path) ||
      path === graph ||
      (dirname(path) === dirname(graph) && isWeightsOf(basename(graph), basename(path))),
  );
  const borrowed = (original?.files ?? []).filter(
    ({ path }) => SENTENCE_FILES.includes(path) && !files.some((each) => each.path === path),
  );
  const wanted = [
    ...own.map((each) => ({ name, revision: listing.revision, file: each })),
    ...borrowed.map((each) => ({ name: original!.name, revision: original!.revision, file: each })),
  ];
  for (const { file: each } of wanted)
    if (each.size < 0 || !/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(each.hash.value))
      throw new HubError(
        `The hub's listing of ${name} has no size or hash for ${each.path}, so it could not be checked.`,
      );
  return { graph, wanted: wanted.sort((a, b) => a.file.size - b.file.size) };
}

/** The caller's choice, otherwise the smallest graph that this processor computes exactly. */
function graphIn({ name, files }: Listing, file: string | undefined, machine: Machine): string {
  const graphs = files.map(({ path }) => path).filter((path) => path.endsWith(".onnx"));
  if (graphs.length === 0)
    throw new HubError(
      `${name} has no ONNX graph. Look for a conversion, such as Xenova/${name.split("/")[1]} or onnx-community/${name.split("/")[1]}-ONNX.`,
    );
  const named = (path: string) => graphs.find((graph) => graph === path || graph === `onnx/${path}`);
  if (file !== undefined) {
    const chosen = named(file);
    if (chosen) return chosen;
    throw new HubError(`${name} has no '${file}'. Its graphs: ${graphs.join(", ")}.`);
  }
  const usual = [
    "model_quantized.onnx",
    "model_int8.onnx",
    ...(machine.arch === "arm64" ? ["model_qint8_arm64.onnx"] : []),
    ...(machine.has("avx512_vnni") ? ["model_qint8_avx512_vnni.onnx"] : []),
    ...(machine.has("avx2") ? ["model_quint8_avx2.onnx"] : []),
    "model.onnx",
  ];
  const chosen = usual.map(named).find((path) => path !== undefined) ?? (graphs.length === 1 ? graphs[0] : undefined);
  if (chosen) return chosen;
  throw new HubError(`${name} has several graphs; choose one with --file: ${graphs.join(", ")}.`);
}
