// What a check records of branches and tags, in repositories in memory whose refs change between two checks.
import { defaultFilter, type EventFilter } from '@floe/contract/lists'
import { applyDeclaredReceivers, type Database, recordStreamSelections, selectRefs } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { openRepository } from '@floe/storage/icechunk'
import { buildId, buildRepo } from '../../../storage/repositories/icechunk/build-object.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { secrets } from '../../../storage/sample-secrets.ts'
import { rememberRepository } from '../../../storage/records/database/remember-repository.ts'
import { findWeather, makeWatcher, watch } from './watch.ts'

type Refs = readonly (readonly [name: string, commit: number])[]

/** A history of four commits, 0 to 3, and a fifth that follows the second. */
const snapshots = [-1, 0, 1, 2, 1].map((parent, index) => ({ id: buildId(index + 1), parent }))

const allEvents = ['NewCommit', 'BranchCreated', 'BranchDeleted', 'TagCreated', 'TagDeleted'] as const

function build({ branches = [], tags = [] }: { readonly branches?: Refs; readonly tags?: Refs }): Uint8Array {
  return buildRepo({
    snapshots,
    branches: branches.some(([name]) => name === 'main') ? branches : [['main', 0], ...branches],
    tags,
  })
}

async function select(db: Database, filter: Partial<EventFilter>, alias = 'hook'): Promise<void> {
  const repoId = await rememberRepository(db, 'acme', 'weather', new Date())
  const hook = {
    kind: 'webhook',
    alias,
    url: 'https://example.org/',
    service: null,
    secretToken: null,
    headers: {},
  } as const
  const declared = { ...hook, filter: { ...defaultFilter, ...filter }, signingSecret: null }
  await applyDeclaredReceivers(db, { org: 'acme', repoId }, [declared], { secrets, now: new Date() })
}

/** A watcher of one repository, and what its receiver is sent: `event ref previous -> new #sequence`. */
async function follow(t: Test, refs: Parameters<typeof build>[0], filter: Partial<EventFilter> | null) {
  const store = new MemoryStore([['repo', build(refs)]])
  const parts = await watch(t, { weather: store })
  const { db, watcher, catalog } = parts
  const entry = await findWeather(catalog)
  if (filter !== null) await select(db, filter)
  await watcher.checkSelection(entry)
  let read = 0
  const listNew = async () => {
    const rows = await db
      .selectFrom('deliveries')
      .innerJoin('events', 'events.number', 'event_number')
      .select(['payload', 'sequence'])
      .orderBy('deliveries.number')
      .execute()
    const lines = rows.map(({ payload, sequence }) => {
      const { event, details } = JSON.parse(payload)
      const number = (id: string | null) => (id === null ? '-' : snapshots.findIndex((one) => one.id === id))
      const ref = details.branch ?? details.tag
      return `${event} ${ref} ${number(details.previous_snapshot_id)}>${number(details.snapshot_id)} #${sequence}`
    })
    return lines.slice(read, (read = lines.length))
  }
  await listNew()
  const replace = (refs: Parameters<typeof build>[0]) => store.objects.set('repo', build(refs))
  const change = async (refs: Parameters<typeof build>[0]) => {
    replace(refs)
    await watcher.check(entry)
    return listNew()
  }
  return { db, parts, store, replace, change, listNew, watcher, entry }
}

// Proves: a branch that exists when it is first named causes no event; its moves from then on do
t.test('a branch that exists when it is named causes nothing; its moves are counted from there', async (t) => {
  const { change } = await follow(t, { branches: [['dev', 1]] }, { branches: ['dev'], events: allEvents })
  t.strictSame(await change({ branches: [['dev', 2]] }), ['NewCommit dev 1>2 #2'])
  t.strictSame(
    await change({
      branches: [
        ['dev', 2],
        ['other', 3],
      ],
    }),
    [],
  )
})

// Proves: a new branch causes `BranchCreated`, and `NewCommit` unless a watched branch had reached its head
t.test('a branch that appears is told, and its head only if no watched branch had reached it', async (t) => {
  const { change } = await follow(t, { branches: [['main', 2]] }, { branches: ['**'], events: allEvents })
  t.strictSame(
    await change({
      branches: [
        ['main', 2],
        ['old', 1],
      ],
    }),
    ['BranchCreated old ->1 #1'],
  )
  t.strictSame(
    await change({
      branches: [
        ['main', 2],
        ['old', 1],
        ['new', 4],
      ],
    }),
    ['BranchCreated new ->4 #1', 'NewCommit new ->4 #2'],
  )
  t.strictSame(
    await change({
      branches: [
        ['main', 3],
        ['new', 4],
        ['old', 1],
        ['same', 3],
      ],
    }),
    ['NewCommit main 2>3 #2', 'BranchCreated same ->3 #1'],
  )
})

// Proves: a deleted branch causes `BranchDeleted`; one that is created again is new, and its numbers go on
t.test('a branch that goes is told with its last head, and one that comes back is new', async (t) => {
  const { change } = await follow(t, { branches: [['dev', 0]] }, { branches: ['dev'], events: allEvents })
  t.strictSame(await change({}), ['BranchDeleted dev 0>- #2'])
  t.strictSame(await change({ branches: [['dev', 0]] }), ['BranchCreated dev ->0 #3'])
  t.strictSame(await change({ branches: [['dev', 1]] }), ['NewCommit dev 0>1 #4'])
})

// Proves: tags cause `TagCreated` and `TagDeleted`; one that was deleted and made again causes both
t.test('tags are told only to those who ask; one that was made again is two events', async (t) => {
  const { change } = await follow(t, { tags: [['v1', 0]] }, { events: ['TagCreated', 'TagDeleted'] })
  t.strictSame(
    await change({
      tags: [
        ['v1', 0],
        ['v2', 1],
      ],
    }),
    ['TagCreated v2 ->1 #1'],
  )
  t.strictSame(
    await change({
      tags: [
        ['v1', 1],
        ['v2', 1],
      ],
    }),
    ['TagDeleted v1 0>- #1', 'TagCreated v1 ->1 #2'],
  )
  t.strictSame(await change({}), ['TagDeleted v1 1>- #3', 'TagDeleted v2 1>- #2'])
})

t.test('branches and tags may have any names, also those that the table of events gives the others', async (t) => {
  const { change } = await follow(t, {}, { branches: ['**'], events: allEvents })
  const names = ['a\nb', 'branch/tag/v1', 'sea ice, 2026', 'tag/v1']
  const refs = (commit: number) => names.map((name) => [name, commit] as const)
  const created = await change({ branches: refs(0), tags: refs(0) })
  t.strictSame(created, [
    ...names.map((name) => `BranchCreated ${name} ->0 #1`),
    ...names.map((name) => `TagCreated ${name} ->0 #1`),
  ])
  t.strictSame(await change({ branches: refs(1), tags: [...refs(0), ['tag/tag/v1', 0], ['v1', 0]] }), [
    ...names.map((name) => `NewCommit ${name} 0>1 #2`),
    'TagCreated tag/tag/v1 ->0 #1',
    'TagCreated v1 ->0 #1',
  ])
})

t.test('names with a NUL, which no database can store, are skipped', async (t) => {
  const { change } = await follow(
    t,
    { branches: [['\0', 0]], tags: [['\0', 0]] },
    { branches: ['**'], events: allEvents },
  )
  const refs: Refs = ['\0', '\0\0', 'dev'].map((name) => [name, 0])
  t.strictSame(await change({ branches: refs, tags: refs }), ['BranchCreated dev ->0 #1', 'TagCreated dev ->0 #1'])
})

// Proves: only the branches and tags that a receiver or a stream names are watched, besides `main`
t.test('without a receiver that names them, other refs cause nothing', async (t) => {
  const { change, db } = await follow(t, {}, {})
  t.strictSame(await change({ branches: [['dev', 1]], tags: [['v1', 0]] }), [])
  t.strictSame(await db.selectFrom('heads').select('branch').execute(), [{ branch: 'main' }])
})

// Proves: a receiver gets events only of the branches that its `branches` select
// Proves: a receiver gets only its `events`
t.test('a receiver gets the events of its branches alone', async (t) => {
  const filter = { branches: ['release/*'], events: ['NewCommit', 'BranchDeleted'] as const }
  const { change } = await follow(t, { branches: [['release/1', 0]] }, filter)
  t.strictSame(
    await change({
      branches: [
        ['main', 1],
        ['release/1', 1],
        ['release/1/fix', 1],
        ['release/2', 1],
      ],
    }),
    ['NewCommit release/1 0>1 #2'],
  )
  t.strictSame(
    await change({
      branches: [
        ['main', 1],
        ['release/2', 1],
      ],
    }),
    ['BranchDeleted release/1 1>- #3'],
  )
  t.strictSame(
    await change({
      branches: [
        ['main', 1],
        ['release/2', 1],
        ['release/3', 4],
      ],
    }),
    ['NewCommit release/3 ->4 #2'],
    'not that it was created',
  )
})

// Proves: branches that only anonymous streams select take no place of those that others select
t.test('a branch that a receiver selects is watched, however many others anonymous streams select', async (t) => {
  const many = Array.from({ length: 1_100 }, (_, index) => [`a${String(index).padStart(4, '0')}`, 0] as const)
  const { db, change, watcher, entry } = await follow(t, { branches: many }, { branches: ['z*'], events: allEvents })
  const selection = selectRefs({ events: [], branches: ['**'], isAnonymous: true })
  const [now, until] = [new Date(), new Date(Date.now() + 3_600_000)]
  await recordStreamSelections(db, [{ org: 'acme', repos: ['**'], names: null, selection, filter: null }], {
    now,
    until,
  })
  const countWatched = async () => {
    const { count } = await db
      .selectFrom('heads')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('branch', '<>', 'main')
      .executeTakeFirstOrThrow()
    return count
  }
  await watcher.checkSelection(entry)
  t.equal(await countWatched(), 1_000)
  t.strictSame(await change({ branches: [...many, ['z', 1]] }), ['BranchCreated z ->1 #1', 'NewCommit z ->1 #2'])
  t.strictSame(await change({ branches: [...many, ['z', 2]] }), ['NewCommit z 1>2 #3'])
  t.equal(await countWatched(), 1_001)
})

/** More branches at the first commit than are watched: two, which come last. */
const tooMany: Refs = [...Array(1_002).keys()].map((index) => [`a${String(index).padStart(4, '0')}`, 0])
const everything = { branches: ['**'], events: allEvents }

t.test('an old branch that gets the place of a deleted one is not told as new; its moves are told', async (t) => {
  const { change } = await follow(t, { branches: tooMany }, everything)
  t.strictSame(await change({ branches: tooMany.slice(1) }), ['BranchDeleted a0000 0>- #2'])
  t.strictSame(await change({ branches: tooMany.slice(1) }), [])
  const moved = tooMany.slice(2).map(([name], index) => [name, index < 998 ? 0 : 1] as const)
  t.strictSame(await change({ branches: moved }), ['BranchDeleted a0001 0>- #2', 'NewCommit a1000 0>1 #2'])
  t.strictSame(await change({ branches: [...moved, ['b', 2]] }), [], 'there is no place for a new one')
  t.strictSame(await change({ branches: [...moved.slice(1), ['b', 2]] }), ['BranchDeleted a0002 0>- #2'])
  t.strictSame(await change({ branches: moved.slice(2) }), ['BranchDeleted a0003 0>- #2', 'BranchDeleted b 2>- #2'])
  t.strictSame(await change({ branches: [...moved.slice(2), ['c', 0]] }), ['BranchCreated c ->0 #1'])
})

t.test('an old branch for which there was no place is not told as new when a receiver names it', async (t) => {
  const { db, change, watcher, entry, listNew } = await follow(t, { branches: tooMany }, everything)
  await select(db, { ...everything, branches: ['**', 'a1001'] })
  await watcher.checkSelection(entry)
  t.strictSame(await listNew(), [])
  t.strictSame(await change({ branches: [...tooMany.slice(0, -1), ['a1001', 1]] }), ['NewCommit a1001 0>1 #2'])
})

t.test('a branch that was created since the last check is new, also if a receiver names it meanwhile', async (t) => {
  const { db, replace, watcher, entry, listNew } = await follow(t, {}, everything)
  replace({ branches: [['dev', 0]] })
  await select(db, { ...everything, branches: ['**', 'dev'] })
  await watcher.checkSelection(entry)
  t.strictSame(await listNew(), ['BranchCreated dev ->0 #1'])
})

// Proves: a branch that is no longer named is forgotten, and is new when it is named again
t.test('what is no longer named is forgotten, and counts anew when it is named again', async (t) => {
  const { change, db, watcher, entry, listNew } = await follow(t, { branches: [['dev', 0]] }, { branches: ['dev'] })
  await select(db, {})
  await watcher.checkSelection(entry)
  t.strictSame(await db.selectFrom('heads').select('branch').execute(), [{ branch: 'main' }])
  t.strictSame(await change({ branches: [['dev', 1]] }), [])
  await select(db, { branches: ['dev'] })
  await watcher.checkSelection(entry)
  t.strictSame(await listNew(), [])
  t.strictSame(await change({ branches: [['dev', 2]] }), ['NewCommit dev 1>2 #2'])
})

t.test('a process that does not know a receiver yet does not undo what another process watches for it', async (t) => {
  const { parts, replace, watcher, entry, listNew } = await follow(t, {}, null)
  const stale = makeWatcher(parts, () => {})
  await stale.check(entry)
  await select(parts.db, { branches: ['dev'], events: allEvents })
  await watcher.checkSelection(entry)
  replace({ branches: [['dev', 0]] })
  await stale.check(entry)
  t.strictSame(await listNew(), ['BranchCreated dev ->0 #1'])
})

t.test(
  'a check that read the repository before another process recorded its change does not take it back',
  async (t) => {
    const { parts, store, replace, watcher, entry, listNew } = await follow(
      t,
      { branches: [['dev', 0]] },
      { branches: ['dev'] },
    )
    await parts.watcher.stop()
    const slow = makeWatcher(parts, () => {})
    const { id, org, name, location } = entry
    const again = { id, org, name, location, repository: openRepository(store) }
    const read = store.read.bind(store)
    let reads = 0
    store.read = async (...request) => {
      const answer = await read(...request)
      if (reads++ > 0) return answer
      replace({ branches: [['dev', 1]] })
      await watcher.check(again)
      return answer
    }
    await slow.check(entry)
    t.strictSame(await listNew(), ['NewCommit dev 0>1 #2'])
  },
)

t.test('a check that another process has overtaken is repeated, and misses nothing', async (t) => {
  const { parts, store, replace, watcher, entry, listNew } = await follow(
    t,
    { branches: [['dev', 0]] },
    { branches: ['dev'] },
  )
  await parts.watcher.stop()
  const slow = makeWatcher(parts, () => {})
  const { id, org, name, location } = entry
  const again = { id, org, name, location, repository: openRepository(store) }
  const read = store.read.bind(store)
  let reads = 0
  store.read = async (...request) => {
    if (reads++ === 0) {
      replace({ branches: [['dev', 1]] })
      await watcher.check(again)
      replace({ branches: [['dev', 2]] })
    }
    return read(...request)
  }
  await slow.check(entry)
  t.strictSame(await listNew(), ['NewCommit dev 0>1 #2', 'NewCommit dev 1>2 #3'])
})
