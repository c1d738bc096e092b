// A page of a long history lets others work in between.
import { type History, openRepository, type SnapshotId } from '@floe/storage/icechunk'
import { t } from 'tap'
import type { HistoryPage } from '@floe/contract'
import { JsonWriter } from '@floe/storage/json'
import { Slices } from '@floe/storage/waiting'
import { describeHistory } from '../../../../server/metadata/history/history-routes.ts'
import { decodeSnapshotId } from '../../../../storage/repositories/icechunk/format/object-id.ts'
import {
  buildFlatBuffer,
  buildId,
  buildMetadataText,
  buildObject,
  type TableDescription,
} from '../../../storage/repositories/icechunk/build-object.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { countTurns } from '../../count-turns.ts'

const { signal } = new AbortController()

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

const author = [{ text: 'author_email' }, { blob: buildMetadataText('ada@example.org') }]
const item = (index: number): TableDescription => [{ text: `item${index}` }, { blob: buildMetadataText('größe') }]

/**
 * If the clock is read as rarely as possible: once for each commit that is read, and for each 16,384 written
 * characters.
 */
const cases = {
  'ordinary commits': { repository: buildRepository(1_000, 'Add the forecast of noon', [author]), leastReads: 1_000 },
  'the largest messages': {
    repository: buildRepository(3, 'ü'.repeat(500_000), [author]),
    leastReads: (3 * 500_000) / 16_384,
  },
  'the most metadata values': {
    repository: buildRepository(
      3,
      '',
      Array.from({ length: 9_900 }, (_, index) => item(index)),
    ),
    leastReads: (3 * 9_900 * '"item1234":"gr\\u00f6\\u00dfe",'.length) / (2 * 16_384),
  },
}

/** How long a slice of work may last, in milliseconds. */
const sliceMs = 5

for (const [name, { repository, leastReads }] of Object.entries(cases)) {
  t.test(`a page of ${name} is read and written in slices`, async (t) => {
    const state = await repository.readState(signal)
    const head = state.main
    if (head === null) throw new Error('it has a head')
    const turns = await countTurns(t, async () => {
      for (let before: SnapshotId | null | undefined; before !== null;) {
        const history: History = await state.readHistory(head, { limit: 1_000, before, signal })
        await new JsonWriter().writeInSlices<HistoryPage>(describeHistory(history), new Slices(signal))
        before = history.next
      }
    })
    t.ok(turns >= leastReads / sliceMs, `${turns} turns of the event loop`)
  })
}
