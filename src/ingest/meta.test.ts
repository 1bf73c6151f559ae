import { expect, it } from "vitest";
import { languageOf } from "./meta.js";

const CODE = "for (let i = 0; i < rows.length; i++) total += rows[i].value * factor;\n".repeat(12);
const TEXTS: Record<string, string> = {
  en: "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience. ",
  sk: "Všetci ľudia sa rodia slobodní a sebe rovní, čo sa týka ich dôstojnosti a práv. Sú obdarení rozumom a svedomím. ",
  vi: "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền. Mọi con người đều được tạo hóa ban cho lý trí. ",
  bg: "Всички хора се раждат свободни и равни по достойнство и права. Те са надарени с разум и съвест и следва да се отнасят. ",
  ja: "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。",
};

it.each(Object.entries(TEXTS))(
  "is %s where that is what the text is written in, whatever code stands between",
  (language, text) => {
    expect(languageOf((text.repeat(8) + CODE).repeat(6))).toBe(language);
  },
);

it("is what the text is written in, where the file declares its template's", () => {
  expect(languageOf(TEXTS.sk!.repeat(30), "en-US")).toBe("sk");
});

it("is what the file declares where the text is too short, or in a language that nothing recognises", () => {
  expect(languageOf("Gallia est omnis divisa in partes tres.", "la")).toBe("la");
  expect(languageOf("Gallia est omnis divisa in partes tres. ".repeat(100), "la")).toBe("la");
  expect(languageOf("No.", "de")).toBe("de");
});
