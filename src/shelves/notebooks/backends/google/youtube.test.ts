import { expect, it } from "vitest";
import { videoId } from "./youtube.js";

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
