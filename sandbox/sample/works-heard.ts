import type { SampleWork } from "./types.js";

/** A podcast heard outside Reader, kept by the second, and a shelf of short posts. Both are ours. */
export const heard: SampleWork[] = [
  {
    title: "The Second Shelf, episode 7: Lost at sea, found in the index",
    author: "Dara Quill and Bram Okafor",
    category: "podcasts",
    source: "snipd",
    year: 2025,
    source_url: "https://secondshelf.example.org/episodes/7",
    summary: "How a ship's log becomes a book, and how a book becomes findable.",
    tags: ["sea", "index", "podcast"],
    highlights: [
      {
        text: "A log is written by someone who does not know how the voyage ends. That is what makes it honest.",
        note: "Bram, on why diaries beat memoirs.",
        location: 312,
        location_type: "time_offset",
        tags: ["sea", "truth"],
        highlighted_at: "2025-02-20T07:42:00.000Z",
        favorite: true,
      },
      {
        text: "You cannot look up what you have no word for. The index lends you the word.",
        location: 868,
        location_type: "time_offset",
        color: "blue",
        tags: ["index"],
        highlighted_at: "2025-02-20T07:51:00.000Z",
      },
      {
        text: "Latitude is astronomy, longitude is clockmaking, and the harbour is gossip.",
        note: "Check this against the navigation notebook.",
        location: 1405,
        location_type: "time_offset",
        tags: ["sea", "science", "humour"],
        highlighted_at: "2025-02-21T07:38:00.000Z",
      },
    ],
  },
  {
    title: "Posts by @slowdesk",
    author: "@slowdesk",
    category: "tweets",
    source: "twitter",
    year: 2026,
    source_url: "https://social.example.org/slowdesk",
    tags: ["notes", "attention"],
    highlights: [
      {
        text: "Nobody ever finished a to-read list. Somebody always stopped adding to it.",
        note: "Printed on the inside of the cupboard.",
        tags: ["reading", "humour"],
        highlighted_at: "2026-05-02T21:10:00.000Z",
        favorite: true,
      },
      {
        text: "A note you cannot find is a note you wrote for somebody else.",
        tags: ["notes", "memory", "index"],
        highlighted_at: "2026-05-19T06:55:00.000Z",
      },
      {
        text: "If you want to know what you think of a book, tell it to a child. If you want to know what is in it, tell it to a lawyer. 📖⚖️",
        tags: ["reading", "humour"],
        highlighted_at: "2026-07-08T19:20:00.000Z",
      },
    ],
  },
];
