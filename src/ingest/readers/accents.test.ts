import { expect, it } from "vitest";
import { composeAccents } from "./accents.js";

it("puts an accent onto the letter it was drawn before", () => {
  expect(
    composeAccents(
      "B¨arenreiter, St´ephane, voil`a, Espa˜na, tawq¯ı, Nexør˝ol, Seveˇcek, Fran¸cais, ¨Uber, ´Etude, Ba¨r, Jiˇr´ı",
    ),
  ).toBe("Bärenreiter, Stéphane, voilà, España, tawqī, Nexøről, Seveček, Français, Über, Étude, Bär, Jiří");
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
