/** Spaces beyond ASCII. Those of Python's `str.split()` and `str.strip()` differ from JavaScript's `\s`. */
const wideSpaces = new Set(
  '\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
)

function isSpace(text: string, position: number): boolean {
  const code = text.charCodeAt(position)
  if (code < 0x80) return (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x20)
  return wideSpaces.has(text.charAt(position))
}

/** Yields the words of a text one at a time, because a text of several megabytes has millions. */
export function* splitAtSpace(text: string): Generator<string> {
  let start = 0
  for (let position = 0; position <= text.length; position++) {
    if (position < text.length && !isSpace(text, position)) continue
    if (position > start) yield text.slice(start, position)
    start = position + 1
  }
}
