// Renders the manifests in deploy/ and holds every object to the Kubernetes schemas: unknown fields are refused too.
//
//   node scripts/check-manifests.mjs [--openapi swagger.json]…
//
// Rendering needs kustomize or kubectl. The schemas of a version are api/openapi-spec/swagger.json of the Go module k8s.io/kubernetes
// at that version. What is missing is named and skipped.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Ajv } from "ajv";
import { parseAllDocuments } from "yaml";

const root = fileURLToPath(new URL("..", import.meta.url));
const FOLDERS = ["deploy", "deploy/overlays/replicas", "deploy/overlays/vpa"];
const { values: asked } = parseArgs({ options: { openapi: { type: "string", multiple: true, default: [] } } });

const RENDERERS = [
  { command: "kustomize", version: ["version"], render: (folder) => ["build", folder] },
  { command: "kubectl", version: ["version", "--client"], render: (folder) => ["kustomize", folder] },
];
const renderer = RENDERERS.find(({ command, version }) => spawnSync(command, version).status === 0);
if (!renderer) {
  console.log("skipped: rendering and checking the manifests (install kustomize or kubectl)");
  process.exit(0);
}
const version = spawnSync(renderer.command, renderer.version, { encoding: "utf8" }).stdout.trim().split("\n")[0];

const problems = [];
const rendered = FOLDERS.flatMap((folder) => {
  const done = spawnSync(renderer.command, renderer.render(join(root, folder)), { encoding: "utf8" });
  if (done.status !== 0) {
    problems.push(`${folder}: ${done.stderr.trim()}`);
    return [];
  }
  const objects = parseAllDocuments(done.stdout).map((document) => document.toJS());
  console.log(`${folder}: ${objects.length} objects, rendered by ${renderer.command} ${version}`);
  return objects.map((object) => ({ folder, object }));
});

if (asked.openapi.length === 0) console.log("skipped: the schemas (name a file with --openapi)");
for (const file of asked.openapi) {
  const validate = validatorOf(JSON.parse(readFileSync(file, "utf8")));
  let unknown = 0;
  for (const { folder, object } of rendered) {
    const wrong = validate(object);
    if (wrong === undefined) unknown++;
    for (const error of wrong ?? [])
      problems.push(
        `${file}: ${folder} ${object.kind} ${object.metadata?.name}${error.instancePath}: ${error.message} ${JSON.stringify(error.params)}`,
      );
  }
  console.log(`${file}: ${rendered.length - unknown} objects checked, ${unknown} of kinds it does not have`);
}
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);

/** Gives an object's errors, or undefined where its kind has no schema (a custom resource). */
function validatorOf({ definitions }) {
  const ajv = new Ajv({ strict: false, logger: false, allErrors: true });
  for (const format of ["int32", "int64", "double", "byte", "date-time"]) ajv.addFormat(format, true);
  const closed = Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [name, strict(schema)]));
  ajv.addSchema({ $id: "k8s", definitions: closed });
  const kinds = new Map();
  for (const [name, schema] of Object.entries(definitions))
    for (const { group, version: number, kind } of schema["x-kubernetes-group-version-kind"] ?? [])
      kinds.set(`${group ? `${group}/` : ""}${number} ${kind}`, name);
  return (object) => {
    const name = kinds.get(`${object.apiVersion} ${object.kind}`);
    if (!name) return undefined;
    const check = ajv.getSchema(`k8s#/definitions/${name}`);
    return check(object) ? [] : check.errors;
  };
}

function strict(schema) {
  if (schema.format === "int-or-string") return { type: ["string", "integer"] };
  if (schema.description?.startsWith("Quantity is")) return { type: ["string", "number"] };
  const { properties, items, additionalProperties, $ref, ...rest } = schema;
  if ($ref) return { $ref: $ref.replace("#/definitions/", "k8s#/definitions/") };
  return {
    ...rest,
    ...(items ? { items: strict(items) } : {}),
    ...(typeof additionalProperties === "object" ? { additionalProperties: strict(additionalProperties) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, strict(inner)])),
          additionalProperties: false,
        }
      : {}),
  };
}
