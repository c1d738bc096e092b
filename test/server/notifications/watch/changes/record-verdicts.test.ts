// What is asked about head moves, and what is recorded when a question has no answer.
import { defaultFilter, type EventFilter } from '@floe/contract/lists'
import { type NotComparedReason, type SchemaChangedDetails, SentSchemaChanged } from '@floe/contract'
import { applyDeclaredReceivers, readHead, recordStreamSelections, mainAlone } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { recordMove } from '../../../../../server/notifications/watch/checks/record-move.ts'
import { RequestProblem } from '../../../../../server/problems/request-problem.ts'
import type { SchemaChangeSummary } from '../../../../../server/reading/compatibility/summarize-changes.ts'
import type { Question } from '../../../../../server/reading/questions/question.ts'
import { MemoryStore } from '../../../../storage/memory-store.ts'
import { rememberRepository } from '../../../../storage/records/database/remember-repository.ts'
import { buildId, buildRepo } from '../../../../storage/repositories/icechunk/build-object.ts'
import { secrets } from '../../../../storage/sample-secrets.ts'
import { countQueries, findWeather, watch } from '../watch.ts'

const snapshots = [-1, 0, 1, 2].map((parent, index) => ({ id: buildId(index + 1), parent }))

const compatible: SchemaChangeSummary = {
  verdict: 'compatible',
  words: 'x is new',
  changes: '[]',
  counts: { breaking: 0, unknown: 0, compatible: 1, not_compared: 0 },
}

/** A repository whose first head is recorded, the questions about its next moves, and what is recorded of them. */
async function start(t: Test, receivers: readonly Partial<EventFilter>[]) {
  const store = new MemoryStore([['repo', buildRepo({ snapshots })]])
  const { db, catalog, timing, states, watcher } = await watch(t, { weather: store })
  const entry = await findWeather(catalog)
  await watcher.check(entry)
  const repoId = await rememberRepository(db, 'acme', 'weather', new Date())
  const hook = { kind: 'webhook', url: 'https://example.org/', service: null, secretToken: null, headers: {} } as const
  const declared = receivers.map((filter, index) => {
    return { ...hook, alias: `hook ${index}`, signingSecret: null, filter: { ...defaultFilter, ...filter } }
  })
  const options = { secrets, now: new Date() }
  await applyDeclaredReceivers(db, { org: 'acme', repoId }, declared, options)
  const asked: Question[] = []
  const errors: unknown[] = []
  /** Moves `main` to a commit; `answer` answers the questions about that. Returns what is recorded. */
  const move = async (commit: number, answer: (signal: AbortSignal) => Promise<unknown>) => {
    const last = await db
      .selectFrom('events')
      .select(({ fn }) => fn.max('number').as('last'))
      .executeTakeFirst()
    store.objects.set('repo', buildRepo({ snapshots, branches: [['main', commit]] }))
    const state = await entry.repository.readFreshState(new AbortController().signal)
    const { counting, queries } = countQueries(db)
    const readers = {
      ask: async (_: object, __: string, question: Question, signal: AbortSignal) => {
        asked.push(question)
        return Buffer.from(JSON.stringify(await answer(signal)))
      },
    }
    const onError = (error: unknown) => errors.push(error)
    const parts = { db: counting, readers, timing, states, onError }
    const previous = await readHead(db, repoId, 'main')
    const snapshotId = snapshots[commit]?.id ?? buildId(1)
    const { signal } = new AbortController()
    // A reader answers with bytes; the parts of a check that record no move are not there.
    const checkParts = parts as unknown as Parameters<typeof recordMove>[0]
    await recordMove(checkParts, { repository: entry, branch: 'main', state, snapshotId, previous }, signal)
    const rows = await db
      .selectFrom('events')
      .select(['name', 'payload'])
      .where('number', '>', last?.last ?? 0)
      .orderBy('position')
      .execute()
    const verdicts = rows.filter(({ name }) => name === 'SchemaChanged')
    return {
      events: rows.map(({ name }) => name),
      queries: queries.length,
      details: verdicts.map(({ payload }) => SentSchemaChanged.parse(JSON.parse(payload)).details)[0],
    }
  }
  return { db, move, asked, errors, timing, entry }
}

// Proves: where nobody selects `SchemaChanged`, nothing is asked about a head move
t.test('nothing is asked, and nothing more is read of the database, where nobody wants a verdict', async (t) => {
  const receivers = [{}, { events: ['SchemaChanged' as const], branches: ['dev'] }]
  const paths = await start(t, [{ paths: ['a/**'] }])
  await paths.move(1, () => Promise.resolve({ matches: [true], changes: null }))
  t.strictSame(
    paths.asked.map(({ kind }) => kind),
    ['changed-paths'],
  )
  const { move, asked, db } = await start(t, receivers)
  const unwanted = await move(1, () => Promise.reject(new Error('nobody reads')))
  t.strictSame(unwanted.events, ['NewCommit'])
  t.strictSame(asked, [])
  const selection = { org: 'acme', repos: ['**'], names: null, selection: mainAlone }
  const time = { now: new Date(), until: new Date('2099-01-01') }
  const filter: EventFilter = {
    ...defaultFilter,
    events: ['SchemaChanged'],
    branches: ['dev'],
    compatibility: ['compatible'],
  }
  await recordStreamSelections(db, [{ ...selection, filter }], time)
  t.equal((await move(2, () => Promise.resolve(compatible))).queries, unwanted.queries)
  t.strictSame(asked, [], 'the stream has another branch')
  const others = { ...selection, names: ['other'], filter: { ...filter, branches: ['main'] } }
  await recordStreamSelections(db, [others], time)
  await move(3, () => Promise.resolve(compatible))
  t.strictSame(asked, [], 'the stream has another repository')
  await recordStreamSelections(db, [{ ...others, names: null }], time)
  t.strictSame((await move(0, () => Promise.resolve(compatible))).events, ['NewCommit', 'SchemaChanged'])
  t.strictSame(asked, [{ kind: 'schema-change', from: snapshots[3]?.id }])
})

t.test('a verdict that nobody wants is not recorded', async (t) => {
  const { move } = await start(t, [{ events: ['SchemaChanged'], compatibility: ['breaking'] }])
  t.strictSame((await move(1, () => Promise.resolve(compatible))).events, ['NewCommit'])
  t.strictSame((await move(2, () => Promise.reject(new Error('gone')))).events, ['NewCommit'], 'unknown is not wanted')
  const identical = { ...compatible, verdict: 'identical' }
  t.strictSame((await move(3, () => Promise.resolve(identical))).events, ['NewCommit'])
})

// Proves: a move whose verdict cannot be computed is told as `unknown` with the reason, after its `NewCommit`
t.test('a question without an answer makes the verdict unknown, and the commit is recorded', async (t) => {
  const { move, timing } = await start(t, [{ events: ['NewCommit', 'SchemaChanged'] }])
  const failures: readonly (readonly [unknown, NotComparedReason])[] = [
    [new RequestProblem('repository-too-large', 'too large'), 'too_large'],
    [new RequestProblem('snapshot-gone', 'gone'), 'unreadable'],
  ]
  for (const [index, [error, reason]] of failures.entries()) {
    const { events, details } = await move(index + 1, () => Promise.reject(error))
    t.strictSame(events, ['NewCommit', 'SchemaChanged'])
    const expected: Partial<SchemaChangedDetails> = { verdict: 'unknown', counts: null, not_compared_reason: reason }
    t.match(details, expected)
  }
  const { promise: asking, resolve: begin } = Promise.withResolvers<void>()
  const slow = move(3, (signal) => {
    begin()
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  await asking
  await timing.pass(10_000)
  const { events, details } = await slow
  t.strictSame(events, ['NewCommit', 'SchemaChanged'])
  t.match(details, { verdict: 'unknown', changes: [], not_compared_reason: 'timeout' })
})

t.test('changes that cannot be sent make the verdict unknown, and the commit is recorded', async (t) => {
  const { move, errors } = await start(t, [{ events: ['NewCommit', 'SchemaChanged'] }])
  for (const [index, changes] of ['[{"after":Infinity}]', '[{}]'].entries()) {
    const breaking = { ...compatible, verdict: 'breaking', changes }
    const { events, details } = await move(index + 1, () => Promise.resolve(breaking))
    t.strictSame(events, ['NewCommit', 'SchemaChanged'])
    t.match(details, { verdict: 'unknown', changes: [], not_compared_reason: 'unreadable' })
  }
  t.match(errors, [{ name: 'SyntaxError' }, { name: 'ZodError' }], 'the log says why')
})
