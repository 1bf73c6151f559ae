const VALUES: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };

/** The value of a roman numeral; letters that are none count nothing. */
export function romanValue(text: string): number {
  const digits = [...text.toLowerCase()].map((letter) => VALUES[letter] ?? 0);
  return digits.reduce((sum, value, i) => sum + (value < (digits[i + 1] ?? 0) ? -value : value), 0);
}
