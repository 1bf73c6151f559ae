import type { SampleProject } from "./types.js";

interface Essay {
  slug: string;
  title: string;
  author: { family: string; given: string };
  issued: [number, number];
  pages: string;
  tags: string[];
  text: string;
}

/** An essay as a document to be indexed, cited as a piece in one invented collection. */
export function essay({ slug, title, author, issued, pages, tags, text }: Essay): SampleProject["documents"][number] {
  const citekey = `${author.family.toLowerCase()}${issued[0]}${slug.split("-")[0]}`;
  return {
    file: `${slug}.md`,
    format: "md",
    text: `# ${title}\n\n${text}\n`,
    citekey,
    csl: {
      id: citekey,
      type: "chapter",
      title,
      author: [author],
      issued: { "date-parts": [issued] },
      "container-title": "Bookwheel Sample Texts",
      publisher: "Bookwheel",
      page: pages,
      language: "en",
      note: "Written for the demonstration library; author invented",
    },
    tags,
  };
}
