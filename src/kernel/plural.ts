/** “1 file”, “2 files”. */
export const plural = (count: number, one: string, many = `${one}s`, shown = String(count)): string =>
  `${shown} ${count === 1 ? one : many}`;
