import { t } from 'tap'
import { foldUnits } from '../../../server/self-description/units.ts'

t.test('usual spellings of units are one', (t) => {
  const spellings: Readonly<Record<string, readonly string[]>> = {
    'm s-1': ['m/s', 'm s**-1', 'm s^-1', 'm.s-1', 'meters/second', 'm per s', ' m  s-1 '],
    'kg m-2 s-1': ['kg/m2/s', 'kg m**-2 s**-1', 'kg.m-2.s-1'],
    K: ['kelvin', 'Kelvin', 'degrees_Kelvin'],
    degC: ['celsius', 'degrees_Celsius', '°C'],
    hPa: ['millibar', 'mb'],
    '%': ['percent'],
    '1': ['dimensionless', '1/1'],
    degrees_north: ['degree_N', 'degreeN'],
    's-1': ['1/s', '1 s-1'],
  }
  for (const [folded, others] of Object.entries(spellings))
    for (const units of [folded, ...others]) t.equal(foldUnits(units), folded, JSON.stringify(units))
  t.end()
})

t.test('other units stay as they are', (t) => {
  for (const units of ['days since 2000-01-01', 'MB', 'm2s', '0.1 m', 'a/', '/', 'm/s/', '(0 - 1)', 'x'.repeat(1_000)])
    t.equal(foldUnits(units), units)
  t.end()
})
