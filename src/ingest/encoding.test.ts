import { expect, it } from "vitest";
import { decode } from "./encoding.js";

const RUSSIAN =
  "Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом и совестью.";

/** The bytes of Russian text in an encoding that Node decodes but does not write. */
function encoded(text: string, encoding: string): Uint8Array {
  const table = new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder(encoding).decode(Uint8Array.of(byte)), byte]),
  );
  return Uint8Array.from([...text], (letter) => table.get(letter) ?? 0x3f);
}

it.each(["windows-1251", "koi8-r", "iso-8859-5"])("reads a file in %s and says that it guessed", (encoding) => {
  const { text, warnings } = decode(encoded(RUSSIAN, encoding));
  expect(text).toBe(RUSSIAN);
  expect(warnings).toEqual([expect.stringContaining(encoding)]);
});

it.each([
  [
    "shift_jis",
    "82b782d782c482cc906c8ad482cd814190b682ea82c882aa82e782c982b582c48ea9975282c582a082e88141",
    "すべての人間は、生れながらにして自由であり、",
  ],
  [
    "gb18030",
    "c8cbc8cbc9fab6f8d7d4d3c9a3accfd4d7f0d1cfbacdc8a8c0fbd2bbc2c9c6bdb5c8a1a3",
    "人人生而自由，显尊严和权利一律平等。",
  ],
])("reads %s", (_name, hex, expected) => {
  expect(decode(Buffer.from(hex, "hex")).text).toBe(expected);
});

it.each([RUSSIAN, "Plain words.\nAnd a second line.", "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心。"])(
  "reads UTF-16 without a byte order mark: %s",
  (written) => {
    const little = Buffer.from(written, "utf16le");
    expect(decode(little)).toEqual({ text: written, warnings: [] });
    expect(decode(Buffer.from(little).swap16()).text).toBe(written);
  },
);

it("keeps Western text Western, with its typographic signs", () => {
  const western = Buffer.from(
    "The \x93caf\xe9\x94 \x96 na\xefve r\xe9sum\xe9 \x96 costs \xa35. Plain English follows.",
    "latin1",
  );
  expect(decode(western).text).toBe("The “café” – naïve résumé – costs £5. Plain English follows.");
});
