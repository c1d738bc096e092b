// Spellings of units: which of them are the same unit, and how one is usually written.
import { LRUCache } from 'lru-cache'
import { parseUnits, type UnitTerm } from './parse-units.ts'
import { offsetUnits, unitDefinitions, unitPrefixes } from './unit-definitions.ts'

/** Longer texts are only equal to themselves, in UTF-16 code units. */
const maxLength = 64

/** A factor, and the exponents of base units. */
type Measure = { readonly factor: number; readonly powers: ReadonlyMap<string, number> }

/** A unit by its usual spelling. A name that is not in the table is a base unit of its own. */
type Unit = { readonly spelling: string; readonly measure: Measure; readonly isKnown: boolean }

/**
 * Names a unit: texts that mean the same unit have the same name, which is one of its spellings. UDUNITS-2 converts
 * between them by the factor 1 and without an offset.
 */
export function identifyUnits(text: string): string {
  // Long texts would fill the memory of the cache.
  if (text.length > maxLength) return text.trim()
  const known = identified.get(text)
  if (known !== undefined) return known
  const units = readUnits(text)
  const found = units === undefined ? text.trim() : writeMeasure(measureUnits(units))
  identified.set(text, found)
  return found
}

/** Most units occur in many variables. */
const identified = new LRUCache<string, string>({ max: 1_000 })

/** Folds the spelling of units, and leaves their factors as they are: `m/s`, `m s**-1` and `m.s-1` are `m s-1`. */
export function foldUnits(text: string): string {
  const written = readUnits(text)?.map(({ unit, exponent }) => writePower(unit.spelling, exponent))
  return written === undefined ? text.trim() : written.filter((factor) => factor !== '1').join(' ') || '1'
}

type Power = { readonly unit: Unit; readonly exponent: number }

/** Undefined if the text is not a product of powers of units, and has to stay as it is. */
function readUnits(text: string): readonly Power[] | undefined {
  const units = text.length > maxLength ? undefined : parseUnits(text)?.map(readTerm)
  if (units === undefined) return undefined
  const { factor } = measureUnits(units)
  if (!Number.isFinite(factor) || factor === 0) return undefined
  // A number beside an unknown word is a description, such as `code table 4.2`.
  const isDescription = units.some(({ unit }) => !unit.isKnown) && units.some(({ unit }) => isNumber(unit))
  return isDescription ? undefined : units
}

/** Whether this is a number other than one. */
function isNumber({ spelling }: Unit): boolean {
  return spelling !== '1' && /^[+-]?[\d.]/.test(spelling)
}

function readTerm({ base, exponent }: UnitTerm): Power {
  if (typeof base === 'string') return { unit: findUnit(base), exponent }
  const factor = base ** exponent
  return { unit: { spelling: writeNumber(factor), measure: { factor, powers: new Map() }, isKnown: true }, exponent: 1 }
}

/** Multiplies powers of units. Alone, a unit with another zero is one of its own. */
function measureUnits(units: readonly Power[]): Measure {
  const powers = new Map<string, number>()
  let factor = 1
  const named = units.filter(({ unit }) => unit.measure.powers.size > 0)
  for (const { unit, exponent } of units) {
    const isAlone = named.length === 1 && exponent === 1 && offsetUnits.has(unit.spelling)
    const measure = isAlone ? { factor: 1, powers: new Map([[unit.spelling, 1]]) } : unit.measure
    factor *= measure.factor ** exponent
    for (const [base, power] of measure.powers) powers.set(base, (powers.get(base) ?? 0) + power * exponent)
  }
  return { factor, powers }
}

/** Enough digits to tell units, and few enough to hide how a factor was computed. */
const factorDigits = 10

function writeMeasure({ factor, powers }: Measure): string {
  const rounded = writeNumber(Number(factor.toPrecision(factorDigits)))
  const bases = [...powers].filter(([, power]) => power !== 0).sort(([a], [b]) => (a < b ? -1 : 1))
  const written = bases.map(([base, power]) => writePower(base, power))
  return [...(rounded === '1' && written.length > 0 ? [] : [rounded]), ...written].join(' ')
}

function writePower(spelling: string, exponent: number): string {
  return spelling === '1' || exponent === 1 ? spelling : `${spelling}${exponent}`
}

/** Writes `1e-6` and `1e5`, and not `0.000001` or `100000`. */
function writeNumber(value: number): string {
  const size = Math.abs(value)
  return size >= 1e-2 && size < 1e5 ? String(value) : value.toExponential().replace('+', '')
}

/** All spellings, and the names among them in lower case. Case counts in symbols: `MB` is no `mb`. */
const [spellings, names] = [new Map<string, Unit>(), new Map<string, Unit>()]
for (const [kept, definition, ...others] of unitDefinitions) {
  const measure = definition === '' ? { factor: 1, powers: new Map([[kept, 1]]) } : measureDefinition(definition)
  const unit = { spelling: kept, measure, isKnown: true }
  for (const spelling of [kept, ...others]) {
    spellings.set(spelling, unit)
    if (isName(spelling)) names.set(spelling.toLowerCase(), unit)
  }
}

/** A definition is of units above it, and has none with another zero. */
function measureDefinition(definition: string): Measure {
  const terms = parseUnits(definition)
  if (terms === undefined) throw new TypeError(`${definition} is no product of powers`)
  return measureUnits(terms.map(readTerm))
}

/** Whether a spelling is long enough to be a name, in which case does not matter, and which has a plural. */
function isName(spelling: string): boolean {
  return spelling.length > 2
}

function findUnit(name: string): Unit {
  const unknown = { spelling: name, measure: { factor: 1, powers: new Map([[name, 1]]) }, isKnown: false }
  return findWhole(name) ?? findPrefixed(name) ?? unknown
}

function findWhole(name: string): Unit | undefined {
  return spellings.get(name) ?? (name.length > 3 ? findName(name.toLowerCase()) : undefined)
}

function findName(name: string): Unit | undefined {
  return names.get(name) ?? (name.endsWith('s') ? names.get(name.slice(0, -1)) : undefined)
}

function findPrefixed(text: string): Unit | undefined {
  // U+00B5 and U+03BC are the same letter.
  const name = text.replace(/^[\u00B5\u03BC]/u, 'u')
  for (const [symbol, long, factor] of unitPrefixes) {
    const rest = name.slice(long.length).toLowerCase()
    const unit = name.toLowerCase().startsWith(long) && rest.length > 2 ? findName(rest) : undefined
    const found = unit ?? (name.startsWith(symbol) ? findWhole(name.slice(symbol.length)) : undefined)
    if (found !== undefined)
      return {
        spelling: symbol + found.spelling,
        measure: { factor: factor * found.measure.factor, powers: found.measure.powers },
        isKnown: true,
      }
  }
  return undefined
}
