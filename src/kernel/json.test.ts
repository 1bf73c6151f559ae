import { expect, it } from "vitest";
import { jsonOrUndefined } from "./json.js";

it("reads JSON, and takes anything else as undefined", () => {
  expect(jsonOrUndefined('{"a":[1]}')).toEqual({ a: [1] });
  expect(jsonOrUndefined("null")).toBeNull();
  for (const text of ["", "{", "undefined", "<html>"]) expect(jsonOrUndefined(text)).toBeUndefined();
});
