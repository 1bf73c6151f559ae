/** CSL types of the categories of Readwise sources. */
export const CSL_TYPES: Readonly<Record<string, string>> = {
  books: "book",
  supplementals: "book",
  articles: "webpage",
  tweets: "post",
  podcasts: "broadcast",
};
