import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/peers.js";

const document = readFileSync(join(ROOT, "docs", "SECURITY.md"), "utf8");
/** "`path/to/x.test.ts`: a test's title" in the last column of the table. */
const claims = [...document.matchAll(/`([\w./-]+\.test\.ts)`: ([^;|]+)/g)].map(([, file, title]) => ({
  file: file!,
  title: title!.trim(),
}));

describe("the threat model", () => {
  it("names a test for each threat it promises to meet", () => {
    const rows = document.split("\n").filter((line) => /^\| [A-Z]/.test(line) && !line.startsWith("| Threat"));
    expect(rows.length).toBeGreaterThanOrEqual(9);
    for (const row of rows) expect(row).toMatch(/\.test\.ts`: /);
  });

  it.each(claims)("can rely on '$title' in $file", ({ file, title }) => {
    expect(existsSync(join(ROOT, file)), file).toBe(true);
    expect(readFileSync(join(ROOT, file), "utf8")).toContain(title);
  });
});

describe("what is installed with Bookwheel", () => {
  interface Locked {
    integrity?: string;
    license?: string;
    link?: boolean;
    dev?: boolean;
    hasInstallScript?: boolean;
    inBundle?: boolean;
    engines?: { node?: string };
  }
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  const installed = Object.entries(lock.packages).filter(([path, { link }]) => path !== "" && !link);

  it("is pinned to its checksum", () => {
    expect(installed.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([]);
  });

  it("runs no script while it is installed, but for the store's driver", () => {
    const scripted = installed
      .filter(([, { dev, hasInstallScript }]) => hasInstallScript && !dev)
      .map(([path]) => path);
    expect(scripted).toEqual(["node_modules/@photostructure/sqlite"]);
    const bundled = installed.filter(([, { inBundle }]) => inBundle).map(([path]) => path);
    expect(bundled).toEqual(expect.arrayContaining(scripted));
  });

  it("runs on every Node that package.json allows", () => {
    // The lowest: what a package asks for is a list of ranges, and one of them must begin at or below it.
    const lowest = [20, 19];
    const allows = (range: string) =>
      range.split("||").some((part) => {
        const [, major, minor = "0"] = /(\d+)(?:\.(\d+))?/.exec(part) ?? [];
        if (major === undefined) return true;
        const below = Number(major) < lowest[0]! || (Number(major) === lowest[0] && Number(minor) <= lowest[1]!);
        return below && (/>=/.test(part) || Number(major) === lowest[0]);
      });
    const refusing = installed
      .filter(([, { engines }]) => engines?.node && !allows(engines.node))
      .map(([path, { engines }]) => `${path} wants ${engines?.node}`);
    expect(refusing).toEqual([]);
  });

  it("is listed in docs/DEPENDENCIES.md with its version and licence, and citeproc in NOTICE.md", () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    const listed = readFileSync(join(ROOT, "docs", "DEPENDENCIES.md"), "utf8");
    for (const [name, version] of Object.entries(dependencies)) {
      const row = listed.split("\n").find((line) => line.startsWith(`| ${name} |`));
      const { license } = lock.packages[`node_modules/${name}`] ?? {};
      expect(row, name).toContain(`| ${version} |`);
      expect(row, name).toContain(`| ${license} |`);
    }
    expect(readFileSync(join(ROOT, "NOTICE.md"), "utf8")).toContain("Frank Bennett");
  });

  it("can be audited and listed by a command each", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    expect(scripts.audit).toMatch(/npm audit .*--audit-level=high/);
    expect(scripts.sbom).toMatch(/npm sbom/);
  });
});
