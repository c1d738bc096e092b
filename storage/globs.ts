// Patterns of names and paths: `*` stands for any characters except `/`, `**` for any characters, and `?` for one
// except `/`. Between slashes, `**` also stands for no folder at all: `a/**/b` matches `a/b`, and `a/**` matches `a`.

/** Whether one of the patterns matches the whole of a text. */
export function matchesSome(globs: readonly string[], text: string): boolean {
  return globs.some((glob) => matches(glob, text))
}

/** Whether a pattern matches every text. */
export function matchesAll(glob: string): boolean {
  return glob === '**'
}

/** Where to go on after a mismatch: a `*` or `**` then stands for more of the text. */
type Retry = { glob: number; text: number }

/**
 * Compares without regular expressions, whose time can grow exponentially. Here the time is at most proportional to the
 * length of the text times the length of the pattern. After a mismatch, the last `*` stands for one more character. If
 * that would be a slash, the last `**` stands for more instead. Earlier stars need no other try: the later the part
 * after a star begins, the less text is left for the parts behind it.
 */
function matches(glob: string, text: string): boolean {
  if (glob.endsWith('/**') && matches(glob.slice(0, -3), text)) return true
  let [at, globAt] = [0, 0]
  let star: Retry | undefined
  let doubleStar: (Retry & { takesFolders: boolean }) | undefined
  // The first `*` after the last `**` began at `firstStarAt`, and tried the rest of that folder. When the `**` then
  // stands for more, the `*` need not begin before the next folder, which starts at `starAllowedFrom`.
  let [firstStarAt, starAllowedFrom] = [0, 0]
  while (at < text.length) {
    const starLength = measureStars(glob, globAt)
    if (starLength > 1) {
      globAt += starLength
      doubleStar = { glob: globAt, text: at, takesFolders: starLength === 3 }
      star = undefined
      starAllowedFrom = 0
    } else if (starLength === 1 && at >= starAllowedFrom) {
      if (star === undefined) firstStarAt = at
      star = { glob: ++globAt, text: at }
    } else if (starLength === 0 && glob[globAt] === text[at]) {
      at++
      globAt++
    } else if (glob[globAt] === '?' && text[at] !== '/') {
      at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
      globAt++
    } else if (star !== undefined && text[star.text] !== '/') {
      at = ++star.text
      globAt = star.glob
    } else if (doubleStar !== undefined) {
      if (star !== undefined) starAllowedFrom = findAfterSlash(text, firstStarAt)
      doubleStar.text = doubleStar.takesFolders ? findAfterSlash(text, doubleStar.text) : doubleStar.text + 1
      at = doubleStar.text
      globAt = doubleStar.glob
      star = undefined
    } else {
      return false
    }
  }
  for (let length = 1; length > 0; globAt += length) length = measureStars(glob, globAt)
  return at === text.length && globAt === glob.length
}

/**
 * Returns the length of the stars at a position of a pattern: 1 for `*`, 2 for `**`, 3 for `**` and `/`, which take
 * whole folders; 0 for none.
 */
function measureStars(glob: string, at: number): number {
  if (glob[at] !== '*') return 0
  if (glob[at + 1] !== '*') return 1
  return glob[at + 2] === '/' && (at === 0 || glob[at - 1] === '/') ? 3 : 2
}

/** Returns the start of the next folder after a position; infinity in the last folder. */
function findAfterSlash(text: string, from: number): number {
  const slash = text.indexOf('/', from)
  return slash === -1 ? Infinity : slash + 1
}

/**
 * Whether a text may match both of two patterns. If both have wildcards, this compares only what they begin with, so it
 * can be true although there is no such text.
 */
export function mayMatchBoth(left: string, right: string): boolean {
  const [leftStart, rightStart] = [readStart(left), readStart(right)]
  if (leftStart === left) return matches(right, left)
  if (rightStart === right) return matches(left, right)
  return leftStart.startsWith(rightStart) || rightStart.startsWith(leftStart)
}

/** What a pattern begins with, up to its first wildcard. The slash before `**` may be absent from a text. */
function readStart(glob: string): string {
  const [start = ''] = glob.split(/\/?[*?]/, 1)
  return start
}
