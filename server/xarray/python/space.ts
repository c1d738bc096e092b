// Python's `str.split()` and `str.strip()` know other spaces than JavaScript's `\s`.
const words = /[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g

/** The words of a text, one after the other: a text of several megabytes has millions. */
export function* splitAtSpace(text: string): Generator<string> {
  for (const [word] of text.matchAll(words)) yield word
}
