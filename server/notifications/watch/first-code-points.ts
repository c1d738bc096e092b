/** The text's first code points, at most `count` of them. */
export function firstCodePoints(text: string, count: number): string {
  // No code point takes more than two units.
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('')
}
