// Units and their spellings. Source of the definitions: the database of UDUNITS-2.2.28 (udunits2-*.xml), and CF 1.11,
// section 3.1, for the usual spellings. UDUNITS takes all angles on a sphere for degrees; here, directions are units of
// their own, and the radian is no number, because a change between them changes what values mean.

/** The spelling that is kept, what it is in the units above it (`''` for a base unit), and its other spellings. */
export type UnitDefinition = readonly [kept: string, definition: string, ...others: string[]]

export const unitDefinitions: readonly UnitDefinition[] = [
  ['1', '1', 'dimensionless', 'unitless', 'ppv'],
  ['%', '1e-2', 'percent', 'pct'],
  ['ppm', '1e-6', 'ppmv'],
  ['ppb', '1e-9', 'ppbv'],
  ['ppt', '1e-12', 'pptv'],
  ['count', '1'],
  ['bit', '1'],

  ['m', '', 'meter', 'metre'],
  ['kg', '', 'kilogram'],
  ['s', '', 'second', 'sec'],
  ['A', '', 'ampere', 'amp'],
  ['K', '', 'kelvin', '°K', ...spellDegrees('K', 'kelvin')],
  ['mol', '', 'mole'],
  ['cd', '', 'candela'],
  ['rad', '', 'radian'],

  ['sr', 'rad2', 'steradian'],
  ['Hz', 's-1', 'hertz'],
  ['Bq', 's-1', 'becquerel'],
  ['g', '1e-3 kg', 'gram'],
  ['N', 'kg m s-2', 'newton'],
  ['Pa', 'N m-2', 'pascal'],
  ['J', 'N m', 'joule'],
  ['W', 'J s-1', 'watt'],
  ['C', 'A s', 'coulomb'],
  ['V', 'W A-1', 'volt'],
  ['F', 'C V-1', 'farad'],
  ['ohm', 'V A-1', 'Ω', 'Ω'],
  ['S', 'A V-1', 'siemens'],
  ['Wb', 'V s', 'weber'],
  ['T', 'Wb m-2', 'tesla'],
  ['H', 'Wb A-1', 'henry', 'henries'],
  ['lm', 'cd sr', 'lumen'],
  ['lx', 'lm m-2', 'lux'],
  ['degC', 'K', 'celsius', '°C', '℃', ...spellDegrees('C', 'celsius')],
  ['degF', '0.5555555555555556 K', 'fahrenheit', '°F', '℉', ...spellDegrees('F', 'fahrenheit')],

  ['min', '60 s', 'minute'],
  ['h', '60 min', 'hr', 'hrs', 'hour'],
  ['day', '24 h', 'd'],
  ['week', '7 day'],
  ['year', '3.15569259747e7 s', 'yr', 'yrs', 'tropical_year'],
  ['month', '2629743.831225 s'],

  ['degrees', '0.017453292519943295 rad', 'degree', 'deg', '°', 'arc_degree', 'angular_degree'],
  ['arcmin', '2.908882086657216e-4 rad', 'arc_minute', 'arcminute', 'angular_minute'],
  ['arcsec', '4.84813681109536e-6 rad', 'arc_second', 'arcsecond', 'angular_second'],
  ['degrees_north', '', ...spellDirection('N', 'north')],
  ['degrees_east', '', ...spellDirection('E', 'east')],
  ['degrees_west', '', ...spellDirection('W', 'west')],
  ['degrees_true', '', ...spellDirection('T', 'true')],
  ['rotation', '6.283185307179586 rad', 'revolution', 'turn', 'cycle', 'circle'],
  ['rpm', 'rotation min-1'],

  ['hPa', '100 Pa', 'millibar', 'mb'],
  ['bar', '1e5 Pa'],
  ['atm', '101325 Pa', 'atmosphere', 'standard_atmosphere'],
  ['mmHg', '133.322387415 Pa', 'mm_Hg', 'mmhg', 'mm_hg', 'torr', 'millimeter_Hg'],
  ['inHg', '3386.388640341 Pa', 'in_Hg', 'inch_Hg'],
  ['dyn', '1e-5 N', 'dyne'],

  ['angstrom', '1e-10 m', 'ångström', 'Å', 'Å'],
  ['um', '1e-6 m', 'micron'],
  ['inch', '0.0254 m', 'in', 'inches', 'international_inch'],
  ['ft', '12 inch', 'foot', 'feet', 'international_foot', 'international_feet'],
  ['yard', '3 ft', 'yd', 'international_yard'],
  ['mile', '5280 ft', 'mi', 'international_mile'],
  ['nautical_mile', '1852 m', 'nmile', 'nmi'],
  ['knot', 'nautical_mile h-1', 'kt', 'kts', 'international_knot'],
  ['fathom', '1.8288036576073154 m'],
  ['ha', '1e4 m2', 'hectare'],
  ['L', '1e-3 m3', 'l', 'liter', 'litre'],
  ['cc', '1e-6 m3'],
  ['sverdrup', '1e6 m3 s-1'],

  ['t', '1e3 kg', 'tonne', 'metric_ton'],
  ['lb', '0.45359237 kg', 'pound', 'avoirdupois_pound'],
  ['cal', '4.1868 J', 'calorie', 'IT_calorie'],
  ['erg', '1e-7 J'],
  ['eV', '1.60217733e-19 J', 'electronvolt', 'electron_volt'],
  ['langley', '41840 J m-2'],
  ['gal', '1e-2 m s-2'],
  ['gauss', '1e-4 T'],
  ['poise', '1e-1 Pa s'],
  ['St', '1e-4 m2 s-1', 'stokes'],
  ['PVU', '1e-6 K m2 kg-1 s-1', 'potential_vorticity_unit'],
  ['DU', '446.2e-6 mol m-2', 'dobson'],
  ['molecule', '1.6605402100225117e-24 mol', 'molec'],
]

/** Units whose zero is elsewhere. In a product, they are intervals. */
export const offsetUnits: ReadonlySet<string> = new Set(['degC', 'degF'])

/** Symbols and names of prefixes, with their factors. */
export const unitPrefixes: readonly (readonly [symbol: string, name: string, factor: number])[] = [
  ['Y', 'yotta', 1e24],
  ['Z', 'zetta', 1e21],
  ['E', 'exa', 1e18],
  ['P', 'peta', 1e15],
  ['T', 'tera', 1e12],
  ['G', 'giga', 1e9],
  ['M', 'mega', 1e6],
  ['k', 'kilo', 1e3],
  ['h', 'hecto', 1e2],
  ['da', 'deka', 1e1],
  ['d', 'deci', 1e-1],
  ['c', 'centi', 1e-2],
  ['m', 'milli', 1e-3],
  ['u', 'micro', 1e-6],
  ['n', 'nano', 1e-9],
  ['p', 'pico', 1e-12],
  ['f', 'femto', 1e-15],
  ['a', 'atto', 1e-18],
  ['z', 'zepto', 1e-21],
  ['y', 'yocto', 1e-24],
]

/** Such as `degC`, `deg_C`, `degree_C`, `degrees_C`, `degree_celsius`. */
function spellDegrees(letter: string, name: string): string[] {
  const beginnings = ['deg', 'deg_', 'degs', 'degs_', 'degree', 'degree_', 'degrees', 'degrees_']
  return [...beginnings.map((beginning) => beginning + letter), `degree_${name}`, `degrees_${name}`]
}

/** Such as `degree_north`, `degree_N`, `degreesN`. */
export function spellDirection(letter: string, name: string): string[] {
  const beginnings = ['degree', 'degree_', 'degrees', 'degrees_']
  return [...beginnings.map((beginning) => beginning + letter), `degree_${name}`, `degrees_${name}`]
}
