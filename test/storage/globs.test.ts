import fc from 'fast-check'
import { t } from 'tap'
import { matchesSome, mayMatchBoth } from '../../storage/globs.ts'
import { checkProperty } from '../check-property.ts'

const examples: readonly (readonly [glob: string, matching: readonly string[], others: readonly string[]])[] = [
  ['main', ['main'], ['', 'mai', 'mains', 'main/', 'Main']],
  ['*', ['', 'main', 'ä', '😀'], ['release/1', '/']],
  ['release/*', ['release/1', 'release/'], ['release', 'release/1/fix', 'xrelease/1']],
  ['v?', ['v1', 'vä', 'v😀'], ['v', 'v/', 'v10']],
  ['**', ['', 'main', 'release/1/fix'], []],
  ['forecast/**', ['forecast', 'forecast/t2m', 'forecast/wind/u'], ['forecasts', 'old/forecast', '']],
  ['**/t2m', ['t2m', 'forecast/t2m', 'a/b/t2m'], ['xt2m', 'a/xt2m', 't2m/x']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb', 'a/b/x']],
  ['a**b', ['ab', 'axb', 'a/x/b'], ['ba', 'abx']],
  ['**/*', ['', 'a', 'a/b'], []],
  ['**/**/x/*.zarr', ['x/a.zarr', 'a/b/x/.zarr'], ['x/a/b.zarr', 'x.zarr']],
  ['*a*/**/b?', ['ba/b1', 'a/x/ba'], ['b/b1', 'a/b', 'a/b/']],
]

// Proves: in patterns, `*` stands for any characters except `/`, `**` for any characters, and `?` for one
t.test('patterns match whole texts', async (t) => {
  for (const [glob, matching, others] of examples) {
    for (const text of matching) t.ok(matchesSome([glob], text), `${glob} matches ${JSON.stringify(text)}`)
    for (const text of others) t.notOk(matchesSome([glob], text), `${glob} does not match ${JSON.stringify(text)}`)
  }
})

t.test('one of several patterns is enough', async (t) => {
  t.ok(matchesSome(['main', 'release/*'], 'release/1'))
  t.notOk(matchesSome(['main', 'release/*'], 'dev'))
  t.notOk(matchesSome([], 'main'))
})

t.test('two patterns that no text can match both are told apart by what they begin with', async (t) => {
  const shared = [
    ['main', 'ma*'],
    ['**', 'x'],
    ['release/*', 'rel*'],
    ['a/**', 'a'],
    ['a*', '*b'],
    ['main', 'main'],
  ]
  for (const [left = '', right = ''] of shared) t.ok(mayMatchBoth(left, right), `${left} ${right}`)
  const apart = [
    ['main', 'dev'],
    ['release/*', 'main'],
    ['weather-*', 'sea-*'],
    ['main*', 'dev'],
  ]
  for (const [left = '', right = ''] of apart) t.notOk(mayMatchBoth(left, right), `${left} ${right}`)
})

t.test('patterns that match one text may match both', async () => {
  const glob = fc.array(fc.constantFrom('*', '**', '**/', '/**', '/', '?', 'a', 'b'), { maxLength: 6 })
  const text = fc.array(fc.constantFrom('/', 'a', 'b'), { maxLength: 6 })
  await checkProperty(
    50_000,
    fc.property(glob, glob, text, (leftParts, rightParts, textParts) => {
      const [left, right, whole] = [leftParts.join(''), rightParts.join(''), textParts.join('')]
      const isShared = matchesSome([left], whole) && matchesSome([right], whole)
      return !isShared || mayMatchBoth(left, right)
    }),
  )
})

t.test('patterns match the same texts as their definition', async () => {
  const glob = fc.array(fc.constantFrom('*', '**', '**/', '/**', '/', '?', 'a', 'b', '😀'), { maxLength: 9 })
  const text = fc.array(fc.constantFrom('/', 'a', 'a', 'b', '😀'), { maxLength: 12 })
  await checkProperty(
    100_000,
    fc.property(glob, text, (globParts, textParts) => {
      const [pattern, whole] = [globParts.join(''), textParts.join('')]
      return matchesSome([pattern], whole) === isDefinedToMatch(pattern, whole)
    }),
  )
})

/** The definition: tries every way to split a text among the parts of a pattern. */
function isDefinedToMatch(glob: string, text: string): boolean {
  // A group itself, besides everything below it.
  if (glob.endsWith('/**') && isDefinedToMatch(glob.slice(0, -3), text)) return true
  const parts = glob.match(/\*\*|./gsu) ?? []
  const characters = Array.from(text)
  const results = new Map<string, boolean>()
  const tryFrom = (part: number, at: number): boolean => {
    const key = `${part} ${at}`
    const result = results.get(key) ?? findFrom(part, at)
    results.set(key, result)
    return result
  }
  const findFrom = (part: number, at: number): boolean => {
    const kind = parts[part]
    const character = characters[at]
    if (kind === undefined) return character === undefined
    const rest = parts.slice(part)
    const startsFolder = part === 0 || parts[part - 1] === '/'
    // Whole folders, or none: `**/` can be left out.
    if (startsFolder && rest[0] === '**' && rest[1] === '/' && tryFrom(part + 2, at)) return true
    if (kind === '*' || kind === '**') {
      const slash = kind === '**' ? -1 : characters.indexOf('/', at)
      const last = slash === -1 ? characters.length : slash
      for (let end = at; end <= last; end++) if (tryFrom(part + 1, end)) return true
      return false
    }
    if (character === undefined) return false
    return (kind === '?' ? character !== '/' : kind === character) && tryFrom(part + 1, at + 1)
  }
  return tryFrom(0, 0)
}
