import { maxNameChanges, type NameChange, openSourceRecords, type SourceRecords } from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'

const appeared = (...names: string[]): NameChange[] => names.map((name) => ({ name, isGone: false }))
const gone = (...names: string[]): NameChange[] => names.map((name) => ({ name, isGone: true }))

/** Reads all changes after one, as names in order and those that are gone with a minus. */
async function readAll({ read }: SourceRecords, sourceId: string, after = 0) {
  const names: string[] = []
  let hasMore = true
  while (hasMore) {
    const { through, changes, ...page } = await read(sourceId, after)
    names.push(...changes.map(({ name, isGone }) => (isGone ? `-${name}` : name)))
    after = through
    hasMore = page.hasMore
  }
  return { names: names.sort(), through: after }
}

const test = await testOnEngines(t)

test('other processes read what was found in a source since they last read it', async (t, { db, connect }) => {
  const [scanner, other] = [openSourceRecords(db), openSourceRecords(await connect())]
  t.strictSame(await other.read('a', 0), { through: 0, changes: [], hasMore: false }, 'nobody has searched it')
  await scanner.record({ sourceId: 'a', changes: appeared('ice', 'snow') })
  const first = await readAll(other, 'a')
  t.strictSame(first.names, ['ice', 'snow'])
  t.strictSame((await readAll(other, 'a', first.through)).names, [])
  await scanner.record({ sourceId: 'a', changes: [...gone('ice'), ...appeared('rain', 'snow')] })
  const second = await readAll(other, 'a', first.through)
  t.strictSame(second.names, ['-ice', 'rain'], 'snow has not changed')
  await scanner.record({ sourceId: 'a', changes: appeared('ice') })
  t.strictSame((await readAll(other, 'a', second.through)).names, ['ice'])
  t.strictSame((await readAll(other, 'a')).names, ['ice', 'rain', 'snow'])
})

test('a source that was searched and is empty is told from one that nobody has searched', async (t, { db }) => {
  const records = openSourceRecords(db)
  await records.record({ sourceId: 'empty', changes: [] })
  t.match(await records.read('empty', 0), { through: 1, changes: [] })
  t.match(await records.read('other', 0), { through: 0 })
})

test('many names are read in pages, and sources do not mix', async (t, { db }) => {
  const records = openSourceRecords(db)
  const names = Array.from({ length: 11_234 }, (_, index) => `ice-${index}`)
  for (let start = 0; start < names.length; start += maxNameChanges) {
    const part = names.slice(start, start + maxNameChanges)
    await Promise.all([
      records.record({ sourceId: 'large', changes: appeared(...part) }),
      records.record({ sourceId: `other-${start}`, changes: appeared('ice-0') }),
    ])
  }
  t.strictSame((await readAll(records, 'large')).names, names.toSorted())
  t.strictSame((await readAll(records, 'other-0')).names, ['ice-0'])
})

test('two processes that record the same source at the same time lose nothing', async (t, { db, connect }) => {
  const both = [openSourceRecords(db), openSourceRecords(await connect())]
  const reader = openSourceRecords(db)
  const names = Array.from({ length: 40 }, (_, index) => `ice-${index}`)
  const seen: string[] = []
  let after = 0
  const read = async () => {
    const { names, through } = await readAll(reader, 'a', after)
    seen.push(...names)
    after = through
  }
  await Promise.all(
    names.map(async (name, index) => {
      await both[index % 2]?.record({ sourceId: 'a', changes: appeared(name) })
      await read()
    }),
  )
  await read()
  t.strictSame(new Set(seen), new Set(names))
})
