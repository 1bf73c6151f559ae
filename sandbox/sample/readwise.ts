import { articles } from "./documents-articles.js";
import { files } from "./documents-files.js";
import { mailAndFeeds } from "./documents-mail-and-feeds.js";
import { videos } from "./documents-videos.js";
import { worksFromReader } from "./reader-works.js";
import type { SampleDocument, SampleWork } from "./types.js";
import { ancients } from "./works-ancients.js";
import { british } from "./works-british.js";
import { french } from "./works-french.js";
import { heard } from "./works-heard.js";
import { lives } from "./works-lives.js";
import { novels } from "./works-novels.js";
import { laterNovels } from "./works-novels-later.js";
import { science } from "./works-science.js";
import { verse } from "./works-verse.js";

export const sampleDocuments: SampleDocument[] = [...articles, ...mailAndFeeds, ...videos, ...files];

export const sampleWorks: SampleWork[] = [
  ...ancients,
  ...french,
  ...british,
  ...science,
  ...lives,
  ...novels,
  ...laterNovels,
  ...verse,
  ...heard,
  ...worksFromReader(sampleDocuments),
];
