// Patterns of names and paths: `*` stands for any characters except `/`, `**` for any characters, and `?` for one except `/`.
// Between slashes, `**` also stands for no folder at all: `a/**/b` matches `a/b`, and `a/**` matches `a`.

/** Whether one of the patterns matches the whole of a text. */
export function matchesSome(globs: readonly string[], text: string): boolean {
  return globs.some((glob) => matches(glob, text))
}

/** Whether a pattern matches every text. */
export function matchesAll(glob: string): boolean {
  return glob === '**'
}

/**
 * Compares without regular expressions, whose time can grow exponentially. Here it grows with the length of the text times that of the
 * pattern, at most. What follows the last `**` is tried ever later in the text, and so is what follows the last `*`, up to the next `/`.
 * Earlier ones need no other try: the later a part of the pattern begins, the less text is left for the others.
 */
function matches(glob: string, text: string): boolean {
  if (glob.endsWith('/**') && matches(glob.slice(0, -3), text)) return true
  let [at, next] = [0, 0]
  let shallow: { glob: number; text: number } | undefined
  let deep: { glob: number; text: number; takesFolders: boolean } | undefined
  // Where the first `*` after the last `**` began, and before where none needs to begin, because the rest of that folder was tried.
  let [star, untried] = [0, 0]
  while (at < text.length) {
    const length = measureStars(glob, next)
    if (length > 1) {
      next += length
      deep = { glob: next, text: at, takesFolders: length === 3 }
      shallow = undefined
      untried = 0
    } else if (length === 1 && at >= untried) {
      if (shallow === undefined) star = at
      shallow = { glob: ++next, text: at }
    } else if (length === 0 && glob[next] === text[at]) {
      at++
      next++
    } else if (glob[next] === '?' && text[at] !== '/') {
      at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
      next++
    } else if (shallow !== undefined && text[shallow.text] !== '/') {
      at = ++shallow.text
      next = shallow.glob
    } else if (deep !== undefined) {
      if (shallow !== undefined) untried = findAfterSlash(text, star)
      deep.text = deep.takesFolders ? findAfterSlash(text, deep.text) : deep.text + 1
      at = deep.text
      next = deep.glob
      shallow = undefined
    } else {
      return false
    }
  }
  for (let length = 1; length > 0; next += length) length = measureStars(glob, next)
  return at === text.length && next === glob.length
}

/** Returns the length of what stands for many characters at this place of a pattern: 3 for whole folders, `**` and `/`. */
function measureStars(glob: string, at: number): number {
  if (glob[at] !== '*') return 0
  if (glob[at + 1] !== '*') return 1
  return glob[at + 2] === '/' && (at === 0 || glob[at - 1] === '/') ? 3 : 2
}

/** Returns the start of the next folder; infinity in the last one. */
function findAfterSlash(text: string, from: number): number {
  const slash = text.indexOf('/', from)
  return slash === -1 ? Infinity : slash + 1
}
