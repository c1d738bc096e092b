// Folds the spellings of units that are usual in CF: `m/s`, `m s**-1` and `m.s-1` are `m s-1`. Only products of powers
// are understood; other units, such as `days since 2000-01-01`, stay as they are.

/** Longer texts stay as they are, in UTF-16 code units. */
const maxLength = 64

/** Names of units, each list with the spelling that is kept first. Source: CF 1.11, section 3.1, and UDUNITS. */
const spellings: ReadonlyMap<string, string> = new Map(
  [
    ['1', 'dimensionless', 'unitless'],
    ['%', 'percent', 'pct'],
    ['K', 'kelvin', 'kelvins', 'degK', 'deg_K', 'degree_Kelvin', 'degrees_Kelvin'],
    ['degC', 'celsius', 'deg_C', 'degree_C', 'degrees_C', 'degree_Celsius', 'degrees_Celsius', '°C', '℃'],
    ['degF', 'fahrenheit', 'deg_F', 'degree_F', 'degrees_F', 'degree_Fahrenheit', 'degrees_Fahrenheit', '°F'],
    ['degrees_north', 'degree_north', 'degree_N', 'degrees_N', 'degreeN', 'degreesN'],
    ['degrees_east', 'degree_east', 'degree_E', 'degrees_E', 'degreeE', 'degreesE'],
    ['degrees', 'degree', 'deg', '°', 'arc_degree', 'arc_degrees'],
    ['m', 'metre', 'metres', 'meter', 'meters'],
    ['km', 'kilometre', 'kilometres', 'kilometer', 'kilometers'],
    ['mm', 'millimetre', 'millimetres', 'millimeter', 'millimeters'],
    ['s', 'sec', 'second', 'seconds'],
    ['min', 'minute', 'minutes'],
    ['h', 'hr', 'hour', 'hours'],
    ['day', 'days', 'd'],
    ['kg', 'kilogram', 'kilograms'],
    ['g', 'gram', 'grams'],
    ['Pa', 'pascal', 'pascals'],
    ['hPa', 'hectopascal', 'hectopascals', 'millibar', 'millibars', 'mbar', 'mb'],
    ['J', 'joule', 'joules'],
    ['W', 'watt', 'watts'],
    ['mol', 'mole', 'moles'],
  ].flatMap(([kept = '', ...others]) => [kept, ...others].map((unit) => [unit, kept])),
)

const lowerCase = new Map([...spellings].map(([unit, kept]) => [unit.toLowerCase(), kept]))

/** A unit and its exponent. Digits inside a name, as in `m2s`, are none. */
const power = /^([\p{L}%°_]{1,40})(?:\^|\*\*)?([+-]?\d{1,2})?$/u

/** Folds the spelling of units. */
export function foldUnits(text: string): string {
  if (text.length > maxLength) return text
  const trimmed = text.trim()
  const whole = findSpelling(trimmed)
  if (whole !== undefined) return whole
  const factors: string[] = []
  // `**` is the power of Python, so a single `*` is left between factors.
  const [numerator = '', ...denominators] = trimmed
    .replaceAll('**', '^')
    .replaceAll(/\s+per\s+/g, '/')
    .split('/')
  for (const [part, sign] of [[numerator, 1] as const, ...denominators.map((part) => [part, -1] as const)]) {
    const names = part.split(/[\s.*·]/u).filter((name) => name !== '')
    if (names.length === 0) return trimmed
    for (const name of names) {
      const factor = foldPower(name, sign)
      if (factor === undefined) return trimmed
      if (factor !== '') factors.push(factor)
    }
  }
  return factors.join(' ') || '1'
}

/** `''` for the number one, which changes nothing; undefined if this is no power of a unit. */
function foldPower(name: string, sign: 1 | -1): string | undefined {
  if (name === '1') return ''
  const [, unit, exponent = '1'] = power.exec(name) ?? []
  if (unit === undefined) return undefined
  const signed = sign * Number(exponent)
  return `${findSpelling(unit) ?? unit}${signed === 1 ? '' : signed}`
}

/** Case counts in symbols: `MB` is no `mb`. It does not in names of four letters and more. */
function findSpelling(unit: string): string | undefined {
  return spellings.get(unit) ?? (unit.length > 3 ? lowerCase.get(unit.toLowerCase()) : undefined)
}
