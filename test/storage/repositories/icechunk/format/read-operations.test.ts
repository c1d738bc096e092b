import { t } from 'tap'
import { openRepoObject } from './open-repo-object.ts'
import { buildFlatBuffer, buildObject, type TableDescription } from '../build-object.ts'

const { signal } = new AbortController()

/**
 * Opens a `repo` object whose log says that these branches were created, the newest first, at the times count - 1, ...,
 * 0.
 */
function openLog(names: readonly string[]) {
  const none = { tables: [] }
  const updates = names.map((name, index): TableDescription => {
    const time = { u64: BigInt(names.length - 1 - index) }
    return [{ u8: 7 }, { table: [{ text: name }] }, time]
  })
  const fields = [{ u8: 2 }, none, none, none, none, undefined, undefined, { tables: updates }]
  return openRepoObject(buildObject(buildFlatBuffer(fields), { kind: 6 }), { maxHistoryBytes: 1_000 })
}

t.test('a part of the log ends when its texts are too large, and the next part continues there', async (t) => {
  const names = Array.from({ length: 30 }, (_, index) => String(index).padEnd(400, 'x'))
  const repo = await openLog(names)
  const branches: (string | null)[] = []
  for (let before: bigint | undefined; ;) {
    const { operations, hasMore } = await repo.readOperations({ limit: 1_000, before }, signal)
    t.equal(operations.length, 3)
    branches.push(...operations.map(({ branch }) => branch))
    if (!hasMore) break
    before = operations.at(-1)?.time
  }
  t.strictSame(branches, names)
})

t.test('a part has at least one operation, and all that fit', async (t) => {
  const large = await (await openLog(['x'.repeat(5_000), 'b'])).readOperations({ limit: 9, before: undefined }, signal)
  t.match(large, { operations: [{ branch: /^x+$/ }], hasMore: true })
  t.equal(large.operations.length, 1)
  const small = await (await openLog(['a', 'b', 'c'])).readOperations({ limit: 9, before: undefined }, signal)
  t.match(small, { operations: [{ branch: 'a' }, { branch: 'b' }, { branch: 'c' }], hasMore: false })
})
