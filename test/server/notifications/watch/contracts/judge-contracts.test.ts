// When contracts are judged, in a repository in memory whose comparisons end by hand.
import { addContract, listContracts } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { Judgements } from '../../../../../server/notifications/watch/judgements.ts'
import { RequestProblem } from '../../../../../server/problems/request-problem.ts'
import { TaskTimeoutProblem } from '../../../../../server/reading/threads/reader.ts'
import type { MemoryStore } from '../../../../storage/memory-store.ts'
import { findWeather, newerBytes, makeStore, startWatcher, watch } from '../watch.ts'
import { waitUntil } from '../../../wait-until.ts'

const by = { org: 'acme', id: '0123456789abcdef', name: null }
const kept = { verdict: 'identical', breaks: [], changes: [], breakingChanges: 0, unknownReason: null }
const write = (judged: object) => Buffer.from(JSON.stringify(judged)) as never

/** A repository with a contract. */
async function attach(t: Test, store: MemoryStore = makeStore()) {
  const parts = await watch(t, { weather: store })
  const entry = await findWeather(parts.catalog)
  await parts.watcher.check(entry)
  const now = new Date(parts.timing.now())
  await addContract(parts.db, entry, { name: 'maps', branch: 'main', document: '{}' }, { by, now })
  const find = async () => (await listContracts(parts.db, entry))[0]?.findings
  return { ...parts, store, entry, find }
}

// Proves: checks do not wait for judgements
t.test('a commit is recorded while a head is judged, and then judged', async (t) => {
  const { watcher, store, entry, listEvents, timing, ...parts } = await attach(t)
  await watcher.stop()
  const questions: PromiseWithResolvers<never>[] = []
  const asked: (() => void)[] = []
  const ask = () => {
    const question = Promise.withResolvers<never>()
    questions.push(question)
    asked.shift()?.()
    return question.promise
  }
  const waitForQuestion = () => new Promise<void>((resolve) => asked.push(resolve))
  const first = waitForQuestion()
  const judging = startWatcher({ ...parts, timing }, () => {}, { ask })
  t.teardown(() => judging.stop())
  void judging.checkSelection(entry)
  await first
  store.objects.set('repo', newerBytes)
  const second = waitForQuestion()
  void judging.check(entry)
  await waitUntil(async () => (await listEvents()).length > 0)
  t.equal(questions.length, 1, 'the head is recorded, and the first judgement still runs')
  questions[0]?.resolve(write(kept))
  await second
  questions[1]?.resolve(write(kept))
})

t.test('what cannot be read now is judged at the next check; what takes too long twice, no more', async (t) => {
  const { watcher, db, timing, entry, find } = await attach(t)
  await watcher.stop()
  let answer = (): Promise<never> => Promise.reject(new RequestProblem('unavailable', 'too many wait'))
  const onError = (error: unknown) => t.fail('it failed', { error })
  const ignore = { onEvent: () => {}, onJudged: () => {}, onError }
  const judgements = new Judgements({ db, timing, readers: { ask: () => answer() }, ...ignore }, entry)
  const judge = (version = 'the same') => {
    judgements.noteCheck({ judged: 'one', version, startedAt: timing.now() })
    return judgements.ended
  }
  await judge()
  t.match(await find(), { headId: '', state: null, unknownReason: 'too many wait' })
  answer = () => Promise.resolve(write(kept))
  await judge()
  t.match(await find(), { state: 'kept', unknownReason: null })
  answer = () => Promise.reject(new TypeError('nobody asks again'))
  await judge('another')
  await db.updateTable('contracts').set({ version: 2 }).execute()
  answer = () => Promise.reject(new TaskTimeoutProblem(undefined, false, 'Reading'))
  await judge('a third')
  t.match(await find(), { headId: '', state: 'kept', unknownReason: /took longer/ })
  await judge('a third')
  t.match(await find(), { headId: /./, state: 'kept', unknownReason: /took longer/ })
  answer = () => Promise.reject(new TypeError('nobody asks again'))
  await judge('a third')
})
