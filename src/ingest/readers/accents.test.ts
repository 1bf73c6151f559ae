import { expect, it } from "vitest";
import { composeAccents, composeInitials } from "./accents.js";

it("puts an accent onto the letter it was drawn before", () => {
  expect(
    composeAccents(
      "B¨arenreiter, St´ephane, voil`a, Espa˜na, tawq¯ı, Nexør˝ol, Seveˇcek, Fran¸cais, ¨Uber, ´Etude, Ba¨r, Jiˇr´ı, ˇCe ˇcasa, ¸Saban, ˚Angström",
    ),
  ).toBe(
    "Bärenreiter, Stéphane, voilà, España, tawqī, Nexøről, Seveček, Français, Über, Étude, Bär, Jiří, Če časa, Şaban, Ångström",
  );
});

it("leaves quotation marks, paths, code and mathematics alone", () => {
  for (const text of [
    "the ´register´ keyword",
    "it´s and don´t",
    "˜/.bashrc",
    "/˜anna",
    "ˆsys",
    "x ˆ= y",
    "`code`",
    "ˆq Q(x)",
  ])
    expect(composeAccents(text)).toBe(text);
});

it("puts accents onto first letters where a document draws them apart", () => {
  expect(composeInitials("´swiat i ´Zródło, ˜nandú")).toBe("świat i Źródło, ñandú");
  expect(composeInitials("conduit `a l’´ecriture, ˆetre ´eté, c’est-`a-dire")).toBe(
    "conduit à l’écriture, être été, c’est-à-dire",
  );
  for (const text of ["the ´other´ keyword", "ˆq Q(x)", "˜/.bashrc", "x ˆ= y"])
    expect(composeInitials(text)).toBe(text);
});
