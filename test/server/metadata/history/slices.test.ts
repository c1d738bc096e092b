// A page of a long history lets others work in between.
import { type History, openRepository, type SnapshotId } from '@floe/storage/icechunk'
import { t, type Test } from 'tap'
import { writeHistoryPage } from '../../../../server/metadata/history/write-commits.ts'
import { decodeSnapshotId } from '../../../../storage/icechunk/format/object-id.ts'
import { buildFlatBuffer, buildId, buildObject, type TableDescription } from '../../../storage/icechunk/build-object.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'

const { signal } = new AbortController()

/** A value of commit metadata: a text as a FlexBuffer, with a length of 4 bytes. */
function buildText(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  const offset = Buffer.alloc(4)
  offset.writeUInt32LE(bytes.length + 1)
  return Buffer.concat([length, bytes, Buffer.from([0]), offset, Buffer.from([(5 << 2) | 2, 4])])
}

function buildRepository(count: number, message: string, items: readonly TableDescription[]) {
  const none = { tables: [] }
  const snapshots = {
    tables: Array.from({ length: count }, (_, index): TableDescription => [
      { struct: decodeSnapshotId(buildId(index + 1)) },
      { i32: index - 1 },
      { u64: 1_000_000n },
      { text: message },
      { tables: items },
    ]),
  }
  const main = { tables: [[{ text: 'main' }, { u32: count - 1 }]] }
  const bytes = buildObject(buildFlatBuffer([{ u8: 2 }, none, main, none, snapshots]), { kind: 6 })
  return openRepository(new MemoryStore([['repo', bytes]]))
}

/** Does something under a clock that is a millisecond later at each look, and returns how often others could work meanwhile. */
async function countTurns(t: Test, work: () => Promise<unknown>): Promise<number> {
  let ms = 0
  performance.now = () => ms++
  // The clock of Node.js lies in the prototype.
  t.teardown(() => Reflect.deleteProperty(performance, 'now'))
  let turns = 0
  let isOver = false
  const turn = () => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isOver = true
  return turns
}

const author = [{ text: 'author_email' }, { blob: buildText('ada@example.org') }]
const item = (index: number): TableDescription => [{ text: `item${index}` }, { blob: buildText('größe') }]

/** With the least looks at the clock for a page: one for each commit that is read or written, for 16,384 characters, or for a value. */
const cases = {
  'ordinary commits': {
    repository: buildRepository(1_000, 'Add the forecast of noon', [author]),
    leastLooks: 2 * 1_000,
  },
  'the largest messages': {
    repository: buildRepository(3, 'ü'.repeat(500_000), [author]),
    leastLooks: (3 * 500_000) / 16_384,
  },
  'the most metadata values': {
    repository: buildRepository(
      3,
      '',
      Array.from({ length: 9_900 }, (_, index) => item(index)),
    ),
    leastLooks: 3 * 9_900,
  },
}

/** How long a slice of work may last, in milliseconds. */
const sliceMs = 5

for (const [name, { repository, leastLooks }] of Object.entries(cases)) {
  t.test(`a page of ${name} is read and written in slices`, async (t) => {
    const state = await repository.readState(signal)
    const head = state.main
    if (head === null) throw new Error('it has a head')
    const turns = await countTurns(t, async () => {
      for (let before: SnapshotId | null | undefined; before !== null;) {
        const history: History = await state.readHistory(head, { limit: 1_000, before, signal })
        await writeHistoryPage(history, signal)
        before = history.next
      }
    })
    t.ok(turns >= leastLooks / sliceMs, `${turns} turns of the event loop`)
  })
}
