import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse, parseAllDocuments } from "yaml";

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: Record<string, unknown>;
}

interface Kustomization {
  resources: string[];
  patches?: { patch: string }[];
  configMapGenerator?: { name: string; files?: string[]; envs?: string[] }[];
}

const identity = ({ apiVersion, kind, metadata }: Manifest) => `${apiVersion} ${kind} ${metadata.name}`;

/** The objects a kustomization names, by the few rules our own ones use. */
export function manifestsOf(folder: string): Manifest[] {
  const kustomization = parse(readFileSync(join(folder, "kustomization.yml"), "utf8")) as Kustomization;
  const objects = kustomization.resources.flatMap((resource) => {
    const path = join(folder, resource);
    return statSync(path).isDirectory() ? manifestsOf(path) : documentsIn(path);
  });
  for (const { name, files = [], envs = [] } of kustomization.configMapGenerator ?? []) {
    for (const file of [...files, ...envs])
      if (!existsSync(join(folder, file))) throw new Error(`${name} is made from ${file}, which is not there`);
    objects.push({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
  }
  const deleted = (kustomization.patches ?? []).map(({ patch }) => {
    const parsed = parse(patch) as Manifest & { $patch: string };
    if (parsed.$patch !== "delete") throw new Error(`${folder} has a patch this test cannot follow`);
    return identity(parsed);
  });
  for (const name of deleted)
    if (!objects.some((object) => identity(object) === name)) throw new Error(`${name} is deleted but not there`);
  return objects.filter((object) => !deleted.includes(identity(object)));
}

function documentsIn(file: string): Manifest[] {
  return parseAllDocuments(readFileSync(file, "utf8")).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS() as Manifest;
  });
}

/** What kustomize itself makes of it; undefined where there is none to ask. */
export function renderedBy(kubectl: string, folder: string): Manifest[] | undefined {
  if (spawnSync(kubectl, ["kustomize", "--help"]).status !== 0) return undefined;
  const done = spawnSync(kubectl, ["kustomize", folder], { encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.stderr);
  return parseAllDocuments(done.stdout).map((document) => document.toJS() as Manifest);
}

/** A TypeScript file in which the compiler holds every object to the types of the Kubernetes API. */
export function asTypeScript(objects: readonly Manifest[], types: string): string {
  return objects
    .map((object, i) => {
      const { apiVersion, kind } = object;
      const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["core", apiVersion];
      const folder = join(types, group!.replace(/\..*$/, ""), `${version}.d.ts`);
      if (!existsSync(folder)) throw new Error(`no types for ${apiVersion} ${kind} in ${dirname(folder)}`);
      const module = folder.replace(/\.d\.ts$/, ".js");
      return `import type { ${kind} as T${i} } from ${JSON.stringify(module)};\nexport const o${i}: T${i} = ${JSON.stringify(object, null, 1)};`;
    })
    .join("\n");
}
