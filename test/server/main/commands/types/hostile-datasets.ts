// Names and units that try to leave the texts, comments and types in which a module writes them.
import type { DatasetContract } from '@floe/contract'
import fc from 'fast-check'
import type { ByDataset } from '../../../../../server/main/commands/types/collect-schemas.ts'

type Contract = DatasetContract['datasets'][string]

const hostile = [
  '',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'default',
  'class',
  'await',
  'Readonly',
  'Datasets',
  'datasets',
  '10',
  '1e3',
  '-0',
  'a b',
  'a-b',
  'température',
  '気温',
  '𝒯',
  '*/ globalThis.broken = 1 /*',
  '@deprecated',
  '{@link x}',
  '"] = globalThis.broken = 1 //',
  "' + (globalThis.broken = 1) + '",
  '`${globalThis.broken = 1}`',
  '\\',
  '\\u0022',
  '"\\',
  '\n',
  '\r\nglobalThis.broken = 1\n',
  '\u2028globalThis.broken = 1',
  '\u2029',
  '\u202e\u2066',
  '\ud800',
  '\udc00',
  '\0',
  '\u001b[2J',
  '<script>',
  '</script>',
  '// @ts-nocheck',
  'x'.repeat(500),
]

const name = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary', maxLength: 8 }), fc.string())

const variable = fc.record(
  {
    type: fc.oneof(fc.constantFrom('float64', '<U5', 'datetime64[ns]'), name),
    dimensions: fc.array(fc.oneof(name, fc.constant(null)), { maxLength: 3 }),
    role: fc.constantFrom('coordinate' as const, 'data' as const),
    units: name,
    standard_name: name,
  },
  { requiredKeys: ['type', 'dimensions', 'role'], noNullPrototype: true },
)

const contract: fc.Arbitrary<Contract> = fc.record(
  { dimensions: named(fc.constant({}), 3).map(toObject), variables: named(variable, 4).map(toObject) },
  { noNullPrototype: true },
)

/** Datasets with such names, by repository, ref and group. */
export const hostileDatasets: fc.Arbitrary<ByDataset<Contract>> = named(named(named(contract, 3), 2), 2).map(
  (repos) => {
    const withGroups = repos.map(([repo, refs]) => [repo, new Map(refs.map(([ref, groups]) => [ref, new Map(groups)]))])
    return new Map(withGroups as [string, Map<string, Map<string, Contract>>][]) // as they were just made
  },
)

function named<Value>(value: fc.Arbitrary<Value>, maxLength: number): fc.Arbitrary<[string, Value][]> {
  return fc.uniqueArray(fc.tuple(name, value), { maxLength, selector: ([name]) => name })
}

function toObject<Value>(members: [string, Value][]): Record<string, Value> {
  return Object.fromEntries(members)
}
