import { expect, it } from "vitest";
import { driveFile } from "./drive.js";

const ID = "1AbCdEfGhIjKlMnOpQrStUvWxYz";

it.each([
  [`https://docs.google.com/document/d/${ID}/edit?usp=sharing`, "application/vnd.google-apps.document"],
  [`https://docs.google.com/presentation/d/${ID}`, "application/vnd.google-apps.presentation"],
  [`https://docs.google.com/spreadsheets/d/${ID}/edit#gid=0`, "application/vnd.google-apps.spreadsheet"],
  [`https://drive.google.com/file/d/${ID}/view`, "application/pdf"],
  [`https://drive.google.com/open?id=${ID}`, "application/pdf"],
])("%s leads to a file on Drive", (url, mime) => {
  expect(driveFile(url)).toEqual({ id: ID, mime });
});

it.each([
  "https://drive.google.com/drive/my-drive",
  "https://docs.google.com/forms/d/e/x",
  "https://example.org/d/x",
  "?",
])("%s leads to none", (url) => {
  expect(driveFile(url)).toBeNull();
});
