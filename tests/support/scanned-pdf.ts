import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Whether the programs of text recognition are here; says so where they are not. */
export function canRecognise(): boolean {
  const missing = ["tesseract", "pdftoppm"].filter((name) => spawnSync(name, ["--version"]).error !== undefined);
  if (missing.length > 0) console.log(`Skipped text recognition: ${missing.join(" and ")} not installed.`);
  return missing.length === 0;
}

/** A PDF whose pages are photographs of another's pages, and the photographs. */
export function scanOf(pdf: Uint8Array): { pdf: Uint8Array; pictures: Buffer[] } {
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-scan-"));
  try {
    writeFileSync(join(folder, "in.pdf"), pdf);
    execFileSync("pdftoppm", ["-r", "200", "-jpeg", "-gray", join(folder, "in.pdf"), join(folder, "page")]);
    const names = readdirSync(folder)
      .filter((name) => name.endsWith(".jpg"))
      .sort();
    const pictures = names.map((name) => readFileSync(join(folder, name)));
    return { pdf: pdfOfPictures(pictures), pictures };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function pdfOfPictures(pictures: readonly Buffer[]): Uint8Array {
  const objects: Buffer[] = [];
  const add = (...parts: (string | Buffer)[]) =>
    objects.push(Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part))));
  add("<< /Type /Catalog /Pages 2 0 R >>");
  add(`<< /Type /Pages /Kids [${pictures.map((_, i) => `${3 + i * 3} 0 R`).join(" ")}] /Count ${pictures.length} >>`);
  pictures.forEach((picture, i) => {
    const [content, image] = [4 + i * 3, 5 + i * 3];
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /XObject << /P ${image} 0 R >> >> /Contents ${content} 0 R >>`,
    );
    const draw = "q 612 0 0 792 0 0 cm /P Do Q";
    add(`<< /Length ${draw.length} >>\nstream\n${draw}\nendstream`);
    add(
      `<< /Type /XObject /Subtype /Image /Width 1700 /Height 2200 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${picture.length} >>\nstream\n`,
      picture,
      "\nendstream",
    );
  });
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n", "latin1")];
  const offsets: number[] = [];
  objects.forEach((body, i) => {
    offsets.push(parts.reduce((sum, part) => sum + part.length, 0));
    parts.push(Buffer.from(`${i + 1} 0 obj\n`), body, Buffer.from("\nendobj\n"));
  });
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const xref = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${xref}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return new Uint8Array(Buffer.concat(parts));
}
