import { t } from 'tap'
import { decodeGroup } from '../../../../server/xarray/decode-group.ts'
import { makeArrayMember, decodeArrays, decodeOne, makeGroupMember, refusal } from '../zarr-group.ts'
import { makeGrid, tryMembers, tryOpening } from './try-opening.ts'

t.test('an array whose document lacks a member is left out', async (t) => {
  for (const member of ['fill_value', 'codecs', 'chunk_key_encoding'])
    t.equal(tryMembers({ [member]: undefined }), 'left out', member)
  t.equal(tryMembers({ dimension_names: undefined }), 'refused')
})

t.test('members that are read before the missing one are checked, members after it are not', async (t) => {
  t.equal(tryMembers({ fill_value: undefined, data_type: 'decimal' }), 'refused')
  t.equal(tryMembers({ fill_value: undefined, extra: 1 }), 'left out')
  t.equal(tryMembers({ codecs: undefined, fill_value: 'x' }), 'refused')
  t.equal(tryMembers({ codecs: undefined, extra: 1 }), 'refused')
  t.equal(tryMembers({ codecs: undefined, chunk_key_encoding: { name: 'zorder' } }), 'left out')
  t.equal(tryMembers({ chunk_key_encoding: undefined, codecs: [] }), 'left out')
})

t.test('an unknown member has to say that it need not be understood', async (t) => {
  t.equal(tryMembers({ extra: { must_understand: false, note: 1 } }), 'opened')
  for (const extra of [{ must_understand: true }, { must_understand: 0 }, {}, null, false])
    t.equal(tryMembers({ extra }), 'refused')
  t.throws(() => decodeOne({ members: { extra: 1 } }), refusal(/"extra"/))
})

t.test('a group or child group with such a member cannot be opened; a grandchild does not matter', async (t) => {
  const group = makeGroupMember('g').group
  const refused = makeGroupMember('child', { extra: 1 })
  t.throws(() => decodeGroup(refused.group, []), refusal(/"extra"/, null))
  t.throws(() => decodeGroup(group, [makeArrayMember('v'), refused]), refusal(/"extra"/, 'child'))
  const allowed = makeGroupMember('child', {
    extra: { must_understand: false },
    consolidated_metadata: { kind: 'inline' },
  })
  t.equal(decodeGroup(group, [makeArrayMember('v'), allowed]).variables.length, 1)
})

t.test('regular chunks have the rank of the array', async (t) => {
  t.equal(tryMembers({ chunk_grid: makeGrid(0) }), 'opened', '0 is repaired')
  t.equal(tryMembers({ chunk_grid: makeGrid(3, 3) }), 'refused')
  t.equal(tryMembers({ chunk_grid: { name: 'regular' } }), 'refused')
})

t.test('only two key encodings exist', async (t) => {
  const encodings: readonly (readonly [unknown, string])[] = [
    [{ name: 'default' }, 'opened'],
    [{ name: 'v2', configuration: { separator: '/' } }, 'opened'],
    [{ name: 'default', separator: '.' }, 'opened'],
    [{ name: 'default', separator: '-' }, 'refused'],
    [{ name: 'default', configuration: { separator: '-' } }, 'refused'],
    [{ name: 'default', configuration: { separator: '/', x: 1 } }, 'refused'],
    [{ name: 'default', configuration: 1 }, 'refused'],
    [{ name: 'zorder' }, 'refused'],
    [{ name: 'default', configuration: null }, 'refused'],
    ['default', 'refused'],
  ]
  for (const [encoding, expected] of encodings)
    t.equal(tryMembers({ chunk_key_encoding: encoding }), expected, JSON.stringify(encoding))
})

t.test('Icechunk finds no chunks under other key encodings, so no index can be read from them', async (t) => {
  const v2 = { members: { chunk_key_encoding: { name: 'v2' } } }
  const dots = { members: { chunk_key_encoding: { name: 'default', separator: '.' } } }
  for (const array of [v2, dots]) {
    t.doesNotThrow(() => decodeArrays({ v: array }))
    t.doesNotThrow(() => decodeArrays({ x: { ...array, shape: [0] } }))
    t.throws(() => decodeArrays({ x: array }), refusal(/Icechunk cannot find its chunks/, 'x'))
    t.throws(
      () => decodeOne({ ...array, attributes: '{"units":"days since 2000-01-01"}' }),
      refusal(/Icechunk cannot find/),
    )
    t.throws(() => decodeOne({ ...array, type: 'bytes' }), refusal(/Icechunk cannot find/), 'the first object is read')
  }
  t.doesNotThrow(() => decodeOne({ ...dots, type: 'bytes', dimensions: [] }))
})

t.test('no dimension is larger than numpy can address', async (t) => {
  const tryLarge = (size: number) =>
    tryOpening({ type: 'int8', shape: [size], members: { chunk_grid: makeGrid(1000) } })
  t.equal(tryLarge(2 ** 62), 'opened')
  t.equal(tryLarge(2 ** 63), 'refused')
})

t.test('an array may have more dimensions than numpy has', async (t) => {
  t.equal(tryOpening({ dimensions: Array.from({ length: 200 }, (_, axis) => `d${axis}`) }), 'opened')
})

t.test('storage transformers can be anything in a list or an object', async (t) => {
  for (const storage_transformers of [null, [], [1], {}]) t.equal(tryMembers({ storage_transformers }), 'opened')
  for (const storage_transformers of ['', 'x', 0, false]) t.equal(tryMembers({ storage_transformers }), 'refused')
})
