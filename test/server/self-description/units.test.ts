import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { t } from 'tap'
import { z } from 'zod'
import { foldUnits, identifyUnits } from '../../../server/self-description/units.ts'
import { checkProperty } from '../../check-property.ts'
import { measureMemory } from '../measure-memory.ts'

/** Spellings in lists of the same unit, as UDUNITS-2 says (`scripts/fixtures/units.py`). */
const groups = z
  .array(z.array(z.string()))
  .parse(JSON.parse(await readFile(new URL('../../fixtures/units.json', import.meta.url), 'utf8')))

// Proves: units are equal whatever their spelling, as UDUNITS-2 says
t.test('spellings are the same unit if UDUNITS-2 says so, and otherwise not', async (t) => {
  const names = new Map<string, number>()
  let pairs = 0
  for (const [number, spellings] of groups.entries()) {
    pairs += (spellings.length * (spellings.length - 1)) / 2
    for (const text of spellings) {
      const name = identifyUnits(text)
      t.equal(names.get(name) ?? number, number, `${text} is not ${groups[names.get(name) ?? number]?.[0]}`)
      names.set(name, number)
    }
  }
  t.equal(names.size, groups.length, 'each has one name')
  t.ok(pairs > 1_500, `${pairs} equal pairs`)
})

t.test('angles are told apart more strictly than UDUNITS-2 does', async (t) => {
  const angles = ['degrees_north', 'degrees_east', 'degrees_west', 'degrees_true', 'degrees', 'rad', 'sr', '1']
  t.equal(new Set(angles.map(identifyUnits)).size, angles.length)
  t.equal(identifyUnits('degree_N'), identifyUnits('degrees_north'))
  t.equal(identifyUnits('deg'), identifyUnits('degree'))
  t.not(identifyUnits('W m-2 sr-1'), identifyUnits('W m-2'))
})

t.test('a scale of temperature is no other one, but its intervals are those of kelvin', async (t) => {
  t.not(identifyUnits('degC'), identifyUnits('K'))
  t.not(identifyUnits('degF'), identifyUnits('degC'))
  t.equal(identifyUnits('degC m-1'), identifyUnits('K/m'))
  t.equal(identifyUnits('mb'), identifyUnits('hPa'), 'millibarns are rare in pressures')
})

t.test('usual spellings of units are one', async (t) => {
  const spellings: Readonly<Record<string, readonly string[]>> = {
    'm s-1': ['m/s', 'm s**-1', 'm s^-1', 'm.s-1', 'meters/second', 'm per s', ' m  s-1 ', 'm s⁻¹'],
    'kg m-2 s-1': ['kg/m2/s', 'kg m**-2 s**-1', 'kg.m-2.s-1', 'kg/(m² s)'],
    K: ['kelvin', 'Kelvin', 'degrees_Kelvin'],
    degC: ['celsius', 'degrees_Celsius', '°C'],
    hPa: ['millibar', 'mb'],
    '%': ['percent'],
    '1': ['dimensionless', '1/1', ''],
    degrees_north: ['degree_N', 'degreeN'],
    's-1': ['1/s', '1 s-1'],
    'ug m-3': ['µg/m3', 'μg m^-3', 'micrograms/m3'],
    '1e-6 m': ['10^-6 m', '10-6 m', '0.000001 m'],
    'cells mL-1': ['cells/mL'],
  }
  for (const [folded, others] of Object.entries(spellings))
    for (const units of [folded, ...others]) t.equal(foldUnits(units), folded, JSON.stringify(units))
})

t.test('other texts stay as they are', async (t) => {
  const others = [
    'days since 2000-01-01',
    'MB',
    'm2s',
    'a/',
    '/',
    'm/s/',
    '(0 - 1)',
    '(m',
    'm)',
    '0 m',
    'x'.repeat(1_000),
  ]
  for (const units of [...others, '1e99 m99', 'code table 4.2', 'm of water equivalent', 'kg-', '2000-01-01', '0-1'])
    for (const read of [foldUnits, identifyUnits]) t.equal(read(units), units)
})

t.test('what is folded, or named, remains the same unit', async () => {
  const known = fc.constantFrom(...groups.flat())
  const written = fc
    .array(fc.constantFrom(...Array.from('mskgK2-1^* /.()e')), { maxLength: 70 })
    .map((characters) => characters.join(''))
  await checkProperty(
    5_000,
    fc.property(fc.oneof(known, written, fc.string()), (text) => {
      const name = identifyUnits(text)
      assert.equal(identifyUnits(name), name)
      assert.equal(identifyUnits(foldUnits(text)), name)
    }),
  )
})

t.test('long texts stay out of memory', async (t) => {
  const before = measureMemory()
  for (let number = 0; number < 100; number++) identifyUnits(`${Buffer.alloc(200_000, 'x').toString()}${number}`)
  const bytes = measureMemory() - before
  t.ok(bytes < 5_000_000, `${bytes} bytes`)
})
