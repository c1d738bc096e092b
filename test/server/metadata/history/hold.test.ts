// How long a page of a long history keeps the event loop, in processor time of the thread.
import { type History, openRepository, type SnapshotId } from '@floe/storage/icechunk'
import t from 'tap'
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

const readCpuMs = () => process.threadCpuUsage().user / 1_000 + process.threadCpuUsage().system / 1_000

/** Does something, and returns the longest time for which nothing else could run, in milliseconds of the processor. */
async function measureHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = readCpuMs()
  let isOver = false
  const look = () => {
    const now = readCpuMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work()
  isOver = true
  look()
  return longest
}

const author = [{ text: 'author_email' }, { blob: buildText('ada@example.org') }]
const item = (index: number): TableDescription => [{ text: `item${index}` }, { blob: buildText('größe') }]

/** With the most milliseconds for each: to decode a commit of 10,000 metadata values cannot be divided. */
const cases = {
  'ordinary commits': { repository: buildRepository(10_000, 'Add the forecast of noon', [author]), mostMs: 10 },
  'the largest messages': { repository: buildRepository(3, 'ü'.repeat(500_000), [author]), mostMs: 10 },
  'the most metadata values': {
    repository: buildRepository(
      3,
      '',
      Array.from({ length: 9_900 }, (_, index) => item(index)),
    ),
    mostMs: 20,
  },
}

for (const [name, { repository, mostMs }] of Object.entries(cases)) {
  t.test(`a page of ${name} holds the event loop for less than ${mostMs} ms`, async (t) => {
    const state = await repository.readState(signal)
    const head = state.main
    if (head === null) throw new Error('it has a head')
    const readPage = async (before: SnapshotId | undefined): Promise<History> => {
      const history = await state.readHistory(head, { limit: 1_000, before, signal })
      await writeHistoryPage(history, signal)
      return history
    }
    const holds: number[] = []
    for (let round = 0; round < 6; round++) {
      for (let before: SnapshotId | null | undefined; before !== null;) {
        const pages: History[] = []
        const start = before
        const hold = await measureHold(async () => pages.push(await readPage(start)))
        if (round > 2) holds.push(hold)
        before = pages[0]?.next ?? null
      }
    }
    holds.sort((one, other) => one - other)
    // Collections of garbage, which happen at any time, are not what is measured.
    const typical = holds[Math.floor(holds.length / 2)] ?? Infinity
    t.comment(`typically ${typical.toFixed(1)} ms, at most ${holds.at(-1)?.toFixed(1)} ms`)
    t.ok(typical < mostMs, `${typical} ms`)
  })
}
