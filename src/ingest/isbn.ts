export function findIsbn(text: string): string | undefined {
  for (const [, digits] of text.matchAll(/\bISBN(?:-1[03])?:?\s*((?:97[89][- ]?)?(?:\d[- ]?){9}[\dX])\b/gi)) {
    const bare = digits!.replace(/[^\dX]/gi, "").toUpperCase();
    if (isIsbn(bare)) return bare;
  }
  return undefined;
}

export function isIsbn(bare: string): boolean {
  if (/^\d{13}$/.test(bare))
    return [...bare].reduce((sum, digit, i) => sum + Number(digit) * (i % 2 ? 3 : 1), 0) % 10 === 0;
  if (!/^\d{9}[\dX]$/.test(bare)) return false;
  return [...bare].reduce((sum, digit, i) => sum + (digit === "X" ? 10 : Number(digit)) * (10 - i), 0) % 11 === 0;
}
