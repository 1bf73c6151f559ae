interface Label {
  text: string | null;
  inferred: boolean;
}

/**
 * Page labels: the file's own, unless the printed page numbers contradict most of them. A page
 * without a number between two numbered ones gets the number that fits, marked as inferred.
 */
export function pageLabels(
  declared: readonly string[] | null,
  printed: ReadonlyMap<number, string>,
  count: number,
): (page: number) => Label {
  const both = [...printed].filter(([page]) => declared?.[page - 1]);
  const contradicted = both.filter(([page, label]) => declared![page - 1]!.toLowerCase() !== label.toLowerCase());
  const trusted = both.length < 3 || contradicted.length <= both.length / 2;
  if (declared?.some(Boolean) && trusted)
    return (page) => ({ text: declared[page - 1] || printed.get(page) || null, inferred: false });
  const inferred = between(printed, count);
  return (page) => ({ text: printed.get(page) ?? inferred.get(page) ?? null, inferred: inferred.has(page) });
}

function between(printed: ReadonlyMap<number, string>, count: number): Map<number, string> {
  const found = new Map<number, string>();
  const pages = [...printed.keys()].sort((a, b) => a - b);
  for (let i = 1; i < pages.length; i++) {
    const [from, to] = [pages[i - 1]!, pages[i]!];
    const [first, last] = [Number(printed.get(from)), Number(printed.get(to))];
    // Roman numerals, or numbering that restarts between two pages, leave more than one possibility.
    if (!Number.isInteger(first) || last - first !== to - from) continue;
    for (let page = from + 1; page < to && page <= count; page++) found.set(page, String(first + page - from));
  }
  return found;
}
