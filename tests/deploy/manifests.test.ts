import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { SETTING_NAMES } from "../../src/config/settings.js";
import { ROOT } from "../support/peers.js";
import { asTypeScript, type Manifest, manifestsOf, renderedBy } from "./manifests.js";

const require = createRequire(import.meta.url);
const TYPES = dirname(require.resolve("kubernetes-types/package.json"));
const FOLDERS = {
  deploy: join(ROOT, "deploy"),
  "deploy/overlays/replicas": join(ROOT, "deploy", "overlays", "replicas"),
  "deploy/overlays/vpa": join(ROOT, "deploy", "overlays", "vpa"),
};
/** Defined by the VPA itself, not by Kubernetes. */
const FOREIGN = new Set(["VerticalPodAutoscaler"]);

interface Container {
  name: string;
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: object } }[];
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string }[];
  ports: { name: string; containerPort: number }[];
}
interface PodSpec {
  containers: Container[];
  volumes: { name: string }[];
  securityContext: Record<string, unknown>;
  automountServiceAccountToken: boolean;
}
interface Workload {
  selector: { matchLabels: Record<string, string> };
  template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
  volumeClaimTemplates?: { metadata: { name: string } }[];
}
const workloads = (objects: readonly Manifest[]) =>
  objects
    .filter(({ kind }) => kind === "StatefulSet" || kind === "Deployment")
    .map((object) => ({ name: object.metadata.name, ...(object.spec as unknown as Workload) }));
const one = (objects: readonly Manifest[], kind: string, name = "bookwheel") => {
  const found = objects.filter((object) => object.kind === kind && object.metadata.name === name);
  expect(found, `${kind} ${name}`).toHaveLength(1);
  return found[0]!.spec as Record<string, unknown>;
};

describe.each(Object.entries(FOLDERS))("%s", (_name, folder) => {
  const objects = manifestsOf(folder);

  it("has only fields the Kubernetes API knows, of the right types, and all it needs", () => {
    const scratch = mkdtempSync(join(tmpdir(), "bookwheel-manifests-"));
    try {
      const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
      const check = (checked: readonly Manifest[]) => {
        writeFileSync(join(scratch, "manifests.ts"), asTypeScript(checked, TYPES));
        const options = [
          "--noEmit",
          "--strict",
          "--skipLibCheck",
          "--types",
          "",
          "--module",
          "nodenext",
          "--ignoreConfig",
        ];
        return spawnSync(process.execPath, [tsc, ...options, "manifests.ts"], { cwd: scratch, encoding: "utf8" })
          .stdout;
      };
      const own = objects.filter(({ kind }) => !FOREIGN.has(kind));
      expect(check(own)).toBe("");
      // The check itself must be able to fail.
      const broken = structuredClone(own.find(({ kind }) => kind === "Service")!);
      broken.spec!.selectorr = {};
      expect(check([broken])).toContain("selectorr");
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });

  it("is rendered by kustomize to the same objects (where kubectl is installed)", () => {
    const rendered = renderedBy("kubectl", folder);
    if (!rendered) return console.log("skipped: rendering by kustomize (install kubectl)");
    const name = ({ kind, metadata }: Manifest) =>
      `${kind} ${kind === "ConfigMap" ? metadata.name.replace(/-[a-z0-9]{10}$/, "") : metadata.name}`;
    expect(rendered.map(name).sort()).toEqual(objects.map(name).sort());
    expect(JSON.stringify(rendered)).not.toContain('"image":"bookwheel"');
  });

  it("locks every container down and bounds it", () => {
    for (const { template } of workloads(objects)) {
      const { spec } = template;
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      });
      for (const container of spec.containers) {
        expect(container.securityContext, container.name).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        expect(container.resources.limits.memory, container.name).toBeDefined();
        expect(container.resources.requests.cpu, container.name).toBeDefined();
      }
    }
  });

  it("takes secrets by reference alone, and sets only what Bookwheel knows", () => {
    expect(objects.filter(({ kind }) => kind === "Secret")).toEqual([]);
    const settings = readFileSync(join(ROOT, "deploy", "base", "settings.env"), "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split("=")[0]);
    for (const name of settings) expect(SETTING_NAMES).toContain(name);
    for (const { template } of workloads(objects))
      for (const { name: container, env = [] } of template.spec.containers)
        for (const { name, value, valueFrom } of env) {
          if (container === "bookwheel") expect([...SETTING_NAMES, "REDIS_PASSWORD"]).toContain(name);
          if (/TOKEN|PASSWORD|KEY/.test(name))
            expect([value, valueFrom?.secretKeyRef], name).toEqual([undefined, expect.any(Object)]);
        }
  });

  it("points every selector, mount and port at something that is there", () => {
    const pods = workloads(objects);
    for (const { name, selector, template, volumeClaimTemplates = [] } of pods) {
      expect(template.metadata.labels, name).toMatchObject(selector.matchLabels);
      const volumes = [...(template.spec.volumes ?? []), ...volumeClaimTemplates.map(({ metadata }) => metadata)].map(
        (volume) => volume.name,
      );
      for (const { volumeMounts } of template.spec.containers)
        for (const mount of volumeMounts) expect(volumes, name).toContain(mount.name);
    }
    for (const { kind, metadata, spec } of objects) {
      if (kind !== "Service") continue;
      const { selector, ports } = spec as { selector: Record<string, string>; ports: { targetPort: string }[] };
      const chosen = pods.filter(({ template }) =>
        Object.entries(selector).every(([key, value]) => template.metadata.labels[key] === value),
      );
      expect(chosen, metadata.name).toHaveLength(1);
      const names = chosen[0]!.template.spec.containers.flatMap((container) =>
        container.ports.map((port) => port.name),
      );
      for (const { targetPort } of ports) expect(names, metadata.name).toContain(targetPort);
    }
  });

  it("has the contract's pod: Bookwheel and nginx, its requests, limits and probes, and TLS on 8443 from outside", () => {
    const pod = workloads(objects).find(({ name }) => name === "bookwheel")!.template.spec;
    expect(pod.containers.map(({ name }) => name)).toEqual(["bookwheel", "nginx"]);
    expect(pod.containers[0]).toMatchObject({
      resources: { requests: { memory: "128Mi", cpu: "100m" }, limits: { memory: "256Mi", cpu: "500m" } },
      livenessProbe: { httpGet: { path: "/health" } },
      readinessProbe: { httpGet: { path: "/ready" } },
      ports: [{ containerPort: 8080 }],
    });
    expect(one(objects, "Service")).toMatchObject({
      type: "LoadBalancer",
      ports: [{ port: 8443, targetPort: "https" }],
    });
    expect(one(objects, "PodDisruptionBudget")).toMatchObject({ maxUnavailable: 1 });
    expect(one(objects, "NetworkPolicy")).toMatchObject({ ingress: [{ ports: [{ port: 8443 }] }] });
  });
});

it("one pod keeps its data on a volume, and an overlay has a VPA watch it; replicas keep theirs in Redis and Qdrant", () => {
  const [single, replicas, watched] = Object.values(FOLDERS).map(manifestsOf) as [Manifest[], Manifest[], Manifest[]];
  expect(one(single, "StatefulSet")).toMatchObject({
    replicas: 1,
    volumeClaimTemplates: [{ metadata: { name: "data" } }],
  });
  expect(one(watched, "VerticalPodAutoscaler")).toMatchObject({
    targetRef: { kind: "StatefulSet", name: "bookwheel" },
  });
  // A cluster without the VPA's definitions refuses the kind: the plain deployment must not have it.
  expect(single.some(({ kind }) => kind === "VerticalPodAutoscaler")).toBe(false);
  expect(one(replicas, "HorizontalPodAutoscaler")).toMatchObject({
    scaleTargetRef: { kind: "Deployment", name: "bookwheel" },
  });
  expect(replicas.some(({ kind, metadata }) => kind === "StatefulSet" && metadata.name === "bookwheel")).toBe(false);
  const env = workloads(replicas).find(({ name }) => name === "bookwheel")!.template.spec.containers[0]!.env!;
  const services = replicas.filter(({ kind }) => kind === "Service").map(({ metadata }) => metadata.name);
  for (const name of ["REDIS_URL", "QDRANT_URL"]) {
    const host = new URL(env.find((one) => one.name === name)!.value!.replace("$(REDIS_PASSWORD)", "x")).hostname;
    expect(services).toContain(host);
  }
});

it("the image has one name and tag everywhere: the package's version", () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  for (const folder of ["base", join("overlays", "replicas")]) {
    const { images } = parse(readFileSync(join(ROOT, "deploy", folder, "kustomization.yml"), "utf8"));
    expect(images, folder).toEqual([{ name: "bookwheel", newName: "localhost/bookwheel", newTag: version }]);
  }
  const docs = readFileSync(join(ROOT, "docs", "DEPLOYMENT.md"), "utf8");
  expect(docs).toContain("make image");
  expect(docs).not.toContain("bookwheel:latest");
});

it("nginx stops taking calls before Bookwheel does", () => {
  for (const folder of Object.values(FOLDERS)) {
    const [server, proxy] = workloads(manifestsOf(folder)).find(({ name }) => name === "bookwheel")!.template.spec
      .containers as unknown as { lifecycle: { preStop: { exec: { command: [string, string] } } } }[];
    const seconds = (container: typeof server) => Number(container!.lifecycle.preStop.exec.command[1]);
    expect(seconds(proxy)).toBeLessThan(seconds(server));
  }
});

it("the systemd unit is one systemd accepts (where it is installed)", () => {
  const unit = join(ROOT, "deploy", "systemd", "bookwheel.service");
  const verified = spawnSync("systemd-analyze", ["verify", "--man=no", unit], { encoding: "utf8" });
  if (verified.error) return console.log("skipped: the systemd unit (install systemd)");
  expect(
    `${verified.stdout}${verified.stderr}`.split("\n").filter((line) => line.includes("bookwheel.service")),
  ).toEqual([]);
});
