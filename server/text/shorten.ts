// Shortens texts of repositories, which can have any length. Lengths are in Unicode code points, as in JSON Schema, so
// no surrogate pair is split.

/** Shortens a text to `maxLength`, including the `…` at its end. */
export function shorten(text: string, maxLength: number): string {
  if (takeCodePoints(text, maxLength) === text) return text
  return `${takeCodePoints(text, maxLength - 1)}…`
}

export function takeCodePoints(text: string, count: number): string {
  if (text.length <= count) return text
  // A code point takes at most two UTF-16 units.
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('')
}
