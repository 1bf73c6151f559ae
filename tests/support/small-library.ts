import { Library } from "../../sandbox/readwise/library.js";
import { NOON } from "./readwise.js";

const DAY = 86_400_000;

/** A few things of every kind, with ids that are the same every time. */
export function smallLibrary() {
  const library = new Library("small");
  const at = NOON - 30 * DAY;
  const tides = library.addBook({ title: "A Field Guide to Tides", author: "R. Moss", tags: ["sea"] }, at);
  const lines = library.addHighlight(
    tides,
    {
      text: "Water keeps no straight lines.",
      note: "compare rivers",
      location: 12,
      location_type: "page",
      tags: ["shape"],
    },
    at,
  );
  library.addHighlight(
    tides,
    { text: "The moon pulls first, the shore answers later.", location: 40, location_type: "page" },
    at + 1000,
  );
  const law = library.addBook(
    {
      title: "On the Rule of Law",
      author: null,
      category: "articles",
      source: "instapaper",
      source_url: "https://law.example/rule",
    },
    at,
  );
  library.addHighlight(law, { text: "The rule of law is older than the state.", color: "yellow" }, at + 2000);
  const article = library.addDocument(
    {
      category: "article",
      title: "How salt travels",
      author: "Ana Sol",
      location: "later",
      source_url: "https://salt.example/travels",
      summary: "Caravans, ships and the price of salt.",
      tags: ["Trade Routes"],
      html: "<p>Salt moved by camel.</p><p>Then it moved by ship.</p>",
      published_date: 1_768_613_498_536,
    },
    at,
  );
  const video = library.addDocument(
    {
      category: "video",
      title: "How tides work",
      author: "Sea Channel",
      location: "new",
      source_url: "https://video.example/watch?v=1",
      reading_progress: 0.35,
      last_opened_at: at,
      first_opened_at: at,
      html: "<div><p>The moon pulls.</p><script>x()</script><p>Twice a day &amp; always.</p></div>",
      published_date: "2026-01-30",
    },
    at + 1000,
  );
  library.addReaderHighlight(article, { text: "Salt moved by camel." }, at + 3000);
  return { library, tides, law, lines, article, video };
}

export type SmallLibrary = ReturnType<typeof smallLibrary>;
