// Reads which reference system Well-Known Text describes. Sources: ISO 19162 and, for its first version, OGC 01-009.

/** Longest text that is read, in UTF-16 code units. */
export const maxTextLength = 20_000

const horizontal: ReadonlySet<string> = new Set(
  'PROJCRS PROJECTEDCRS PROJCS GEOGCRS GEOGRAPHICCRS GEODCRS GEODETICCRS GEOGCS'.split(' '),
)

export type NamedSystem = {
  readonly name: string
  /** Its own code, not that of its ellipsoid or unit. */
  readonly code: string | null
  readonly isGeographic: boolean
}

/**
 * Finds the name and the code of the first horizontal system, which is that of a compound or bound one. Null if there
 * is none.
 */
export function readNamedSystem(text: string): NamedSystem | null {
  let depth = 0
  let start = 0
  let systemDepth: number | undefined
  let keyword = ''
  let name: string | undefined
  let code: string | null = null
  for (const [at, character] of outsideQuotes(text.slice(0, maxTextLength))) {
    if (character === ',') start = at + 1
    else if (character === '[' || character === '(') {
      depth++
      const word = text.slice(start, at).trim().toUpperCase()
      if (systemDepth === undefined && horizontal.has(word)) {
        systemDepth = depth
        keyword = word
        name = readQuoted(text.slice(at + 1, at + 202))
      } else if (depth - 1 === systemDepth && (word === 'ID' || word === 'AUTHORITY'))
        code ??= readCodeOf(text.slice(at + 1, at + 101))
      start = at + 1
    } else if (depth-- === systemDepth) break
  }
  return name === undefined ? null : { name, code, isGeographic: keyword.startsWith('GEO') }
}

/** The commas and brackets that are not part of quoted texts. */
function* outsideQuotes(text: string): Generator<readonly [at: number, character: string]> {
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && ',[]()'.includes(character)) yield [at, character]
  }
}

function readQuoted(text: string): string {
  return /^\s{0,9}"([^"]{0,190})"/.exec(text)?.[1] ?? ''
}

/** Reads `"EPSG",32632` and `"EPSG","32632"`. */
function readCodeOf(text: string): string | null {
  const [, authority, code] = /^\s{0,9}"(\w{1,20})"\s{0,9},\s{0,9}"?(\w{1,20})"?\s{0,9}[\],)]/.exec(text) ?? []
  return authority === undefined ? null : `${authority}:${code}`
}
