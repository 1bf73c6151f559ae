// PDF files out of a number: the same pages in every run; the bytes of the pictures are chance.
import { randomBytes } from "node:crypto";

/** A PDF as they are: pages of forty lines, and pictures that may make up nearly all of its bytes. */
export function pdfOf(number, { pages, pictureBytes }) {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${Array.from({ length: pages }, (_, i) => `${5 + i * 2} 0 R`).join(" ")}] /Count ${pages} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ].map((body) => Buffer.from(body));
  const picture = randomBytes(pictureBytes);
  objects.push(
    Buffer.concat([
      Buffer.from(
        `<< /Type /XObject /Subtype /Image /Width 1024 /Height 1024 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Length ${pictureBytes} >>\nstream\n`,
      ),
      picture,
      Buffer.from("\nendstream"),
    ]),
  );
  for (let page = 0; page < pages; page++) {
    const lines = Array.from(
      { length: 40 },
      (_, i) =>
        `BT /F1 10 Tf 72 ${720 - i * 14} Td (Line ${i} on page ${page} of book ${number} says ${Math.sin(i * number + page).toFixed(9)} about wheels and desks.) Tj ET`,
    ).join("\n");
    objects.push(
      Buffer.from(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> /XObject << /I 4 0 R >> >> /Contents " +
          `${6 + page * 2} 0 R >>`,
      ),
    );
    objects.push(Buffer.from(`<< /Length ${lines.length} >>\nstream\n${lines}\nendstream`));
  }
  const parts = [Buffer.from("%PDF-1.4\n")];
  let length = parts[0].length;
  const offsets = objects.map((body, i) => {
    const at = length;
    const part = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), body, Buffer.from("\nendobj\n")]);
    parts.push(part);
    length += part.length;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
