// Reads expressions of units in the grammar of UDUNITS-2, as far as products of powers go: `kg m-2 s-1`, `J/kg/K`,
// `umol/(m2 s)`, `1e-6 m`. Each character is looked at once.

/** A number, or the name of a unit, and its exponent. */
export type UnitTerm = { readonly base: number | string; readonly exponent: number }

/** Words with which UDUNITS begins an offset or a logarithm, and others that make an expression a description. */
const notUnits: ReadonlySet<string> = new Set('since after from ref re lg ln log of at as'.split(' '))

const number = /[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:[eE][+-]?\d{1,2})?/y
const name = /[\p{L}%°_]{1,40}/uy
const exponent = /(?:\^|\*\*)?([+-]?\d{1,2})/y
/** A number needs a sign of a power, so that `2-1` is none. `10-6` is usual. */
const exponentOfNumber = /(?:\^|\*\*)([+-]?\d{1,2})/y
const per = /\s*\/\s*|\s+per\s+/iy
/** A point before a digit could be that of a decimal. */
const times = /\s*[·×]\s*|\s*\.(?!\d)\s*|\s*\*(?!\*)\s*|\s+/y

const superscripts: ReadonlyMap<string, string> = new Map(
  ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'].map((digit, value) => [digit, String(value)] as const),
)

/** Parses an expression. An empty one is the number one. Undefined if it is no product of powers. */
export function parseUnits(text: string): readonly UnitTerm[] | undefined {
  const plain = text.trim().replaceAll(/[⁰¹²³⁴-⁹⁻−]/gu, (sign) => superscripts.get(sign) ?? '-')
  const terms = plain === '' ? [] : new UnitParser(plain).parse()
  return terms?.some(({ base }) => typeof base === 'string' && notUnits.has(base.toLowerCase())) ? undefined : terms
}

/** A text of at most some tens of characters: groups in groups are read by recursion. */
class UnitParser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): readonly UnitTerm[] | undefined {
    const terms = this.#readProduct()
    return this.#at === this.#text.length ? terms : undefined
  }

  /** Products and quotients have the same rank: `J/kg K` is `J kg-1 K`. */
  #readProduct(): UnitTerm[] | undefined {
    const terms: UnitTerm[] = []
    let sign = 1
    do {
      const factor = this.#readFactor()
      if (factor === undefined) return undefined
      terms.push(...raise(factor, sign))
      sign = this.#take(per) === undefined ? 1 : -1
    } while (sign === -1 || this.#take(times) !== undefined)
    return terms
  }

  #readFactor(): readonly UnitTerm[] | undefined {
    if (this.#text[this.#at] === '(') return this.#readGroup()
    const value = this.#take(number)?.[0]
    if (value !== undefined) {
      const power = Number(this.#take(value === '10' ? exponent : exponentOfNumber)?.[1] ?? 1)
      return [{ base: Number(value), exponent: power }]
    }
    const unit = this.#take(name)?.[0]
    return unit === undefined ? undefined : [{ base: unit, exponent: Number(this.#take(exponent)?.[1] ?? 1) }]
  }

  #readGroup(): readonly UnitTerm[] | undefined {
    this.#at++
    const terms = this.#readProduct()
    if (terms === undefined || this.#text[this.#at] !== ')') return undefined
    this.#at++
    return raise(terms, Number(this.#take(exponent)?.[1] ?? 1))
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found !== null) this.#at = pattern.lastIndex
    return found ?? undefined
  }
}

function raise(terms: readonly UnitTerm[], power: number): UnitTerm[] {
  return terms.map(({ base, exponent }) => ({ base, exponent: exponent * power }))
}
