// Contracts as the earlier of two states.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { t } from 'tap'
import { compareWithContract, writeContract } from '../../../server/compatibility/contract-state.ts'
import { checkProperty } from '../../check-property.ts'
import { anyState, makeState } from './states.ts'

const list = (changes: ReturnType<typeof compareWithContract>) =>
  changes.map(({ kind, verdict, details: { variable, dimension } }) => [kind, verdict, variable ?? dimension])

const state = makeState(
  { type: 'float32', attributes: '{"units":"m s-1","standard_name":"sea_water_x_velocity"}' },
  { x: 4 },
)

t.test('what a contract leaves out may change', async (t) => {
  for (const contract of [{}, { dimensions: {} }, { variables: { v: {} } }, { dimensions: { x: {} } }])
    t.strictSame(compareWithContract(contract, state), [])
})

t.test('each member of a contract is compared by the table of rules', async (t) => {
  const judge = (variable: object) => list(compareWithContract({ variables: { v: variable } }, state))
  t.strictSame(judge({ type: 'float64' }), [['type-changed', 'breaking', 'v']])
  t.strictSame(judge({ dimensions: ['y'] }), [['dimensions-changed', 'breaking', 'v']])
  t.strictSame(judge({ role: 'coordinate' }), [['role-changed', 'breaking', 'v']])
  t.strictSame(judge({ units: 'K' }), [['units-changed', 'breaking', 'v']])
  t.strictSame(judge({ units: 'm/s' }), [['units-changed', 'compatible', 'v']])
  t.strictSame(judge({ standard_name: 'air_temperature' }), [['standard-name-changed', 'breaking', 'v']])
  t.strictSame(judge({ standard_name: 'x_sea_water_velocity' }), [['standard-name-changed', 'compatible', 'v']])
  t.strictSame(list(compareWithContract({ variables: { w: {} } }, state)), [['variable-removed', 'breaking', 'w']])
})

// Proves: a size that a contract fixes may neither shrink nor grow
t.test('a fixed size may neither shrink nor grow', async (t) => {
  const judge = (size: number) => list(compareWithContract({ dimensions: { x: { size } } }, state))
  t.strictSame(judge(4), [])
  t.strictSame(judge(5), [['size-shrunk', 'breaking', 'x']])
  t.strictSame(judge(3), [['size-grown', 'breaking', 'x']])
})

t.test('a dataset that is gone or cannot be opened breaks its contract', async (t) => {
  const unreadable = { unreadable: 'no', isTooLarge: false, documents: 'one' }
  t.strictSame(list(compareWithContract({}, null)), [['dataset-removed', 'breaking', undefined]])
  t.strictSame(list(compareWithContract({}, unreadable)), [['dataset-unreadable', 'breaking', undefined]])
  t.strictSame(list(compareWithContract({}, { ...unreadable, isTooLarge: true })), [
    ['dataset-unreadable', 'unknown', undefined],
  ])
})

t.test('every state keeps the contract that is written of it, and adds nothing to it', async () => {
  await checkProperty(
    1_000,
    fc.property(anyState, (each) => {
      if (each === null || 'unreadable' in each) return
      assert.deepEqual(compareWithContract(writeContract(each), each), [])
    }),
  )
})
