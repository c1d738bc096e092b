// When branches are judged, in a repository in memory whose comparisons end by hand.
import { addExpectation, listExpectedBranches, type NewExpectation } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { Judgements } from '../../../../server/notifications/watch/judgements.ts'
import { RequestProblem } from '../../../../server/problems/request-problem.ts'
import { TaskTimeoutProblem } from '../../../../server/reading/threads/reader.ts'
import type { MemoryStore } from '../../../storage/memory-store.ts'
import { expectMain, listExpectationEvents } from '../../expectations/start-judging.ts'
import { waitUntil } from '../../wait-until.ts'
import { findWeather, newerBytes, makeStore, older, startWatcher, watch } from './watch.ts'

const by = { org: 'acme', id: '0123456789abcdef', name: null }
const kept = { verdict: 'identical', breaks: [], changes: [], breakingChanges: 0, unknownReason: null }
const write = (judged: object) => Buffer.from(JSON.stringify(judged)) as never

const broken = { ...kept, verdict: 'breaking', breaks: ['it is gone'], breakingChanges: 1 }
const contract = expectMain('contract', { document: '{}' })

/** A repository with expectations. */
async function expectAll(t: Test, added: readonly NewExpectation[] = [contract], store: MemoryStore = makeStore()) {
  const parts = await watch(t, { weather: store })
  const entry = await findWeather(parts.catalog)
  await parts.watcher.check(entry)
  await parts.watcher.stop()
  const now = parts.timing.now()
  // Expectations are listed in the order in which they were added.
  for (const [index, one] of added.entries())
    await addExpectation(parts.db, entry, one, { by, now: new Date(now + index) })
  const list = async () => (await listExpectedBranches(parts.db, entry)).map(({ state }) => state)
  const find = async () => (await list())[0]
  return { ...parts, store, entry, list, find }
}

/** Reader threads that answer when the test says so. */
function openQuestions() {
  const questions: PromiseWithResolvers<never>[] = []
  const ask = () => {
    const question = Promise.withResolvers<never>()
    questions.push(question)
    return question.promise
  }
  const waitFor = (count: number) => waitUntil(() => questions.length >= count)
  return { questions, ask, waitFor, answer: (index: number, found: object) => questions[index]?.resolve(write(found)) }
}

type Expecting = Awaited<ReturnType<typeof expectAll>>

/** Judges as after a check of this version of the repository. */
function openJudgements(
  t: Test,
  { db, timing, entry }: Pick<Expecting, 'db' | 'timing' | 'entry'>,
  ask: () => Promise<never>,
) {
  const onError = (error: unknown) => t.fail('it failed', { error })
  const ignore = { onEvent: () => {}, onJudged: () => {}, onError }
  const judgements = new Judgements({ db, timing, readers: { ask }, ...ignore }, entry)
  const check = (version = 'the same') => judgements.noteCheck({ judgedKey: 'one', version, startedAt: timing.now() })
  const judge = (version?: string) => {
    check(version)
    return judgements.ended
  }
  return { judgements, check, judge }
}

// Proves: checks do not wait for judgements
t.test('a commit is recorded while a head is judged, and then judged', async (t) => {
  const { store, entry, listEvents, find, ...parts } = await expectAll(t)
  const { questions, ask, waitFor, answer } = openQuestions()
  const judging = startWatcher(parts, () => {}, { ask })
  t.teardown(() => judging.stop())
  void judging.checkSelection(entry)
  await waitFor(1)
  store.objects.set('repo', newerBytes)
  const checked = judging.check(entry)
  await waitUntil(async () => (await listEvents()).length > 0)
  t.equal(questions.length, 1, 'the head is recorded, and the first judgement still runs')
  answer(0, broken)
  await waitFor(2)
  t.match(await find(), { headId: older.head, verdict: 'unmet' }, 'the first is about the head that it read')
  answer(1, kept)
  await checked
  t.match(await find(), { verdict: 'met' })
})

// Proves: a branch that is due is told within a second, also while 50 contracts are judged
t.test('a branch that is due is judged while 50 contracts wait for reader threads', async (t) => {
  const freshness = expectMain('freshness', { settings: { max_age: '1m', due: null, days: null, path: null } })
  const contracts = Array.from({ length: 49 }, () => contract)
  const { entry, db, timing, ...parts } = await expectAll(t, [...contracts, freshness])
  const { questions, ask, waitFor, answer } = openQuestions()
  const judging = startWatcher({ ...parts, db, timing }, () => {}, { ask })
  t.teardown(() => judging.stop())
  void judging.checkSelection(entry)
  await waitFor(1)
  await timing.pass(59_000, 1_000)
  t.strictSame(await listExpectationEvents(db), [])
  await timing.pass(2_000, 1_000)
  await waitUntil(async () => (await listExpectationEvents(db)).length > 0)
  t.strictSame(await listExpectationEvents(db), ['ExpectationUnmet #1 main'])
  t.equal(questions.length, 1, 'the first contract is still being read')
  for (let index = 0; index < 49; index++) {
    await waitFor(index + 1)
    answer(index, kept)
  }
})

t.test('branches that wait keep their turn when the head moves, and each head is asked about once', async (t) => {
  const expecting = await expectAll(t, [contract, contract, contract])
  const { questions, ask, waitFor, answer } = openQuestions()
  const { judgements, check } = openJudgements(t, expecting, ask)
  check()
  await waitFor(1)
  for (const version of ['a second', 'a third']) check(version)
  for (let index = 0; index < 3; index++) {
    await waitFor(index + 1)
    answer(index, kept)
  }
  await judgements.ended
  t.equal(questions.length, 3)
  const found = await expecting.list()
  t.equal(found.length, 3)
  for (const state of found) t.match(state, { verdict: 'met', headId: older.head })
})

t.test('what fails for one branch does not stop the others', async (t) => {
  const { entry, db, timing, list } = await expectAll(t, [contract, contract])
  const errors: unknown[] = []
  let asked = 0
  const ask = () => (++asked === 1 ? Promise.reject(new TypeError('a bug')) : Promise.resolve(write(kept)))
  const parts = { db, timing, readers: { ask }, onEvent: () => {}, onJudged: () => {} }
  const judgements = new Judgements({ ...parts, onError: (error) => errors.push(error) }, entry)
  judgements.noteCheck({ judgedKey: 'one', version: 'the same', startedAt: timing.now() })
  await judgements.ended
  t.match(errors, [{ message: 'a bug' }])
  t.match(await list(), [null, { verdict: 'met' }])
})

t.test('a service that stops does not wait for those that must be read', async (t) => {
  const expecting = await expectAll(t, [contract, contract])
  const { questions, ask, waitFor } = openQuestions()
  const { judgements, check } = openJudgements(t, expecting, ask)
  check()
  await waitFor(1)
  judgements.abort(new Error('the service is stopping'))
  questions[0]?.reject(new Error('the service is stopping'))
  await judgements.ended
  t.equal(questions.length, 1)
  t.strictSame(await expecting.list(), [null, null])
})

t.test('what cannot be read now is judged at the next check; what takes too long twice, no more', async (t) => {
  const expecting = await expectAll(t)
  const { db, find } = expecting
  let answer = (): Promise<never> => Promise.reject(new RequestProblem('unavailable', 'too many wait'))
  const { judge } = openJudgements(t, expecting, () => answer())
  await judge()
  t.match(await find(), { headId: '', verdict: null, reason: 'too many wait' })
  answer = () => Promise.resolve(write(kept))
  await judge()
  t.match(await find(), { verdict: 'met', reason: null })
  answer = () => Promise.reject(new TypeError('nobody asks again'))
  await judge('another')
  await db.updateTable('expectations').set({ version: 2 }).execute()
  answer = () => Promise.reject(new TaskTimeoutProblem(undefined, false, 'Reading'))
  await judge('a third')
  t.match(await find(), { headId: '', verdict: 'met', reason: /took longer/ })
  await judge('a third')
  t.match(await find(), { headId: /./, verdict: 'met', reason: /took longer/ })
  answer = () => Promise.reject(new TypeError('nobody asks again'))
  await judge('a third')
})

t.test('the grace of a broken contract ends without another question, and so do periods of reminders', async (t) => {
  const times = { within: '30m', withinMs: 1_800_000, remind: '1h', remindMs: 3_600_000 }
  const expecting = await expectAll(t, [{ ...contract, ...times }])
  const { db, timing, find } = expecting
  let asked = 0
  const { judgements, judge } = openJudgements(t, expecting, () => {
    asked++
    return Promise.resolve(write(broken))
  })
  await judge()
  t.match(await find(), { verdict: null, unmetSince: null, facts: { breaks: ['it is gone'] } })
  t.equal(judgements.nextDueAt, timing.now() + 1_800_000)
  await timing.pass(1_799_000, 1_000)
  await judge()
  t.strictSame(await listExpectationEvents(db), [])
  await timing.pass(1_000, 1_000)
  await judge()
  t.strictSame(await listExpectationEvents(db), ['ExpectationUnmet #1 main'])
  t.equal(judgements.nextDueAt, timing.now() + 3_600_000)
  await timing.pass(3_600_000, 60_000)
  await judge()
  t.strictSame(await listExpectationEvents(db), ['ExpectationUnmet #1 main', 'ExpectationUnmet #2 main'])
  t.equal(asked, 1)
})

t.test('a check that somebody asks for waits at most 5 s for those that must be read', async (t) => {
  const expecting = await expectAll(t)
  const { questions, ask, waitFor } = openQuestions()
  const watcher = startWatcher(expecting, () => {}, { ask })
  t.teardown(() => watcher.stop())
  const checked = watcher.check(expecting.entry)
  await waitFor(1)
  await expecting.timing.pass(5_000, 1_000)
  t.equal((await checked).snapshotId, older.head)
  t.strictSame(await expecting.list(), [null])
  questions[0]?.resolve(write(kept))
})
