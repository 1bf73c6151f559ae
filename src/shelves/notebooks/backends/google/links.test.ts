import { expect, it } from "vitest";
import { driveFile, videoId } from "./links.js";

it.each([
  "https://www.youtube.com/watch?v=abcdefghijk",
  "https://m.youtube.com/watch?app=desktop&v=abcdefghijk&t=42s",
  "https://music.youtube.com/watch?v=abcdefghijk&list=x",
  "http://youtu.be/abcdefghijk?si=share",
  "https://www.youtube.com/shorts/abcdefghijk",
  "https://www.youtube.com/live/abcdefghijk?feature=share",
  "https://www.youtube-nocookie.com/embed/abcdefghijk",
])("%s leads to one video", (url) => {
  expect(videoId(url)).toBe("abcdefghijk");
});

it.each(["https://www.youtube.com/@channel", "https://youtube.com.evil.example/watch?v=abcdefghijk", "no address"])(
  "%s leads to none",
  (url) => {
    expect(videoId(url)).toBeNull();
  },
);

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
