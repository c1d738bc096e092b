// Patterns of names and paths: `*` stands for any characters except `/`, `**` for any characters, and `?` for one except `/`.

/** Whether one of the patterns matches the whole of a text. */
export function matchesSome(globs: readonly string[], text: string): boolean {
  return globs.some((glob) => matches(glob, text))
}

/** Whether a pattern matches every text. */
export function matchesAll(glob: string): boolean {
  return glob === '**'
}

/**
 * Compares without regular expressions, whose time can grow exponentially. Here it grows at most with the lengths of the text, of the text
 * and of the pattern. A match of `*` is extended before one of `**`, which is enough: `*` cannot reach beyond a `/`.
 */
function matches(glob: string, text: string): boolean {
  // `forecast/**` matches the group `forecast` too.
  if (glob.endsWith('/**') && matches(glob.slice(0, -3), text)) return true
  let [at, next] = [0, 0]
  let shallow: { glob: number; text: number } | undefined
  let deep: { glob: number; text: number; takesFolders: boolean } | undefined
  while (at < text.length) {
    const character = text[at]
    if (glob.startsWith('**', next)) {
      // `**/` stands for any number of whole folders, and for none.
      const takesFolders = glob[next + 2] === '/' && (next === 0 || glob[next - 1] === '/')
      next += takesFolders ? 3 : 2
      deep = { glob: next, text: at, takesFolders }
      shallow = undefined
    } else if (glob[next] === '*') {
      shallow = { glob: ++next, text: at }
    } else if (glob[next] === character || (glob[next] === '?' && character !== '/')) {
      at++
      next++
    } else if (shallow !== undefined && text[shallow.text] !== '/') {
      at = ++shallow.text
      next = shallow.glob
    } else if (deep !== undefined) {
      deep.text = deep.takesFolders ? text.indexOf('/', deep.text) + 1 : deep.text + 1
      if (deep.takesFolders && deep.text === 0) return false
      at = deep.text
      next = deep.glob
      shallow = undefined
    } else {
      return false
    }
  }
  while (glob[next] === '*') next++
  return next === glob.length
}
