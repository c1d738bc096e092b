import { t } from 'tap'
import { openFlatBuffer } from '../../../../../storage/repositories/icechunk/encoding/flatbuffers.ts'
import { readFeatureFlags } from '../../../../../storage/repositories/icechunk/format/read-facts.ts'
import { openRepoObject } from './open-repo-object.ts'
import { createAllowance } from '../encoding/create-allowance.ts'
import { buildFlatBuffer, buildObject, type TableDescription } from '../build-object.ts'
import { matchDamage, matchExcess } from '../match-damage.ts'

function listFlags(ids: readonly number[]): TableDescription[number] {
  return { structs: ids.map((id) => Uint8Array.of(id & 0xff, id >> 8)) }
}

/** Reads the feature flags of a repository that lists these, with an allowance of some kilobytes. */
function read(enabled: readonly number[], disabled: readonly number[]) {
  const none = Array.from({ length: 10 }, () => undefined)
  const allowance = createAllowance({ maxInflatedBytes: 5_000 })
  return readFeatureFlags(
    openFlatBuffer(buildFlatBuffer([...none, listFlags(enabled), listFlags(disabled)]), allowance),
    allowance,
  )
}

const count = (length: number, first = 1_000) => Array.from({ length }, (_, index) => first + index)

t.test(
  'features that the format knows are enabled unless a repository disables them, and others are listed',
  async (t) => {
    t.strictSame(read([700], [4, 9]), [
      { id: 3, name: 'move_node', isEnabled: true },
      { id: 4, name: 'create_tag', isEnabled: false },
      { id: 5, name: 'delete_tag', isEnabled: true },
      { id: 9, name: null, isEnabled: false },
      { id: 700, name: null, isEnabled: true },
    ])
  },
)

t.test('more than a thousand feature flags are refused, and no more are read', async (t) => {
  const refusal = matchDamage('it names more than 1000 feature flags')
  t.equal(read(count(500), count(500, 2_000)).length, 1_003)
  t.throws(() => read(count(500), count(501, 2_000)), refusal)
  for (const many of [count(30_000), Array.from({ length: 30_000 }, () => 7)]) {
    t.throws(() => read(many, []), refusal)
    t.throws(() => read([], many), refusal)
  }
})

t.test('the reason of a status has the limit of the text of a commit', async (t) => {
  const none = { tables: [] }
  const read = async (reason: string) => {
    const status = { table: [{ u8: 1 }, { u64: 0n }, { text: reason }] }
    const payload = buildFlatBuffer([{ u8: 2 }, none, none, none, none, status])
    return (await openRepoObject(buildObject(payload, { kind: 6 }), { maxCommitBytes: 100 })).readFacts()
  }
  t.match(await read('x'.repeat(100)), { status: { availability: 'read_only', reason: /^x{100}$/ } })
  await t.rejects(read('x'.repeat(101)), matchExcess('maxCommitBytes'))
})
