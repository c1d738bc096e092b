// Searches end in time, and with their callers, and share the reader threads with questions.
import { once } from 'node:events'
import { join } from 'node:path'
import { setImmediate as endTurn } from 'node:timers/promises'
import { BroadcastChannel } from 'node:worker_threads'
import { openDatabase } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { answerSearch, type SearchTask } from '../../../server/search/answer-search.ts'
import { parseSearch } from '../../../server/search/parse-search.ts'
import type { ReaderPool } from '../../../server/reading/threads/reader-pool.ts'
import { Searcher } from '../../../server/search/searcher.ts'
import { askForText, openAsked, openPool } from '../reading/threads/open-pool.ts'

const cancellableThread = new URL('../reading/threads/cancellable-thread.ts', import.meta.url)

const task: SearchTask = {
  search: parseSearch({ q: 'air' }, { org: 'acme', repos: null, branches: [] }),
  now: 0,
  address: { v1: '/v1', deployment: 'open', org: 'acme', assetsRoot: '' },
  form: { format: 'json' },
}

/**
 * A searcher whose time passes when the test says so.
 *
 * @param readers threads for a database in a file; a database in memory is searched without
 */
async function openSearcher(t: Test, readers?: ReaderPool) {
  const db = await openDatabase(readers ? `sqlite:${join(t.testdir(), 'floe.db')}` : 'sqlite::memory:')
  t.teardown(() => db.destroy())
  const timers = new Set<() => void>()
  const after = (_: number, callback: () => void) => {
    timers.add(callback)
    return () => timers.delete(callback)
  }
  const searcher = new Searcher(db, readers ?? openPool(t, 1), { after })
  let began = 0
  const search = (prepare: () => Promise<SearchTask>, { signal } = new AbortController(), org = 'acme') => {
    const caller = { tenant: org, caller: 'one', isAnonymous: false }
    const noted = () => {
      began += 1
      return prepare()
    }
    return searcher.search({ caller, signal }, noted)
  }
  return { db, search, timers, countBegun: () => began }
}

const answers = () => Promise.resolve(task)

// Proves: a search that waits or works too long is refused in time
t.test('one deadline ends searches that work and those that wait', async (t) => {
  const { search, timers, countBegun } = await openSearcher(t)
  const slow = Promise.withResolvers<SearchTask>()
  const asked = Array.from({ length: 5 }, () => search(() => slow.promise))
  t.equal(countBegun(), 2, 'the others wait')
  t.equal(timers.size, 5)
  for (const end of timers) end()
  const refusals = await Promise.race([Promise.allSettled(asked), endTurn([])])
  t.equal(refusals.length, 5, 'they end at once')
  for (const refused of refusals)
    t.match(refused, { reason: { code: 'unavailable', message: 'The search took longer than 10 seconds' } })
  t.equal(timers.size, 0)
  slow.resolve(task)
  t.match(JSON.parse(String(await search(answers))), { total: 0 })
  t.equal(countBegun(), 3, 'those that waited never began')
})

t.test('a caller who leaves ends the search that waits or works', async (t) => {
  const { search, timers, countBegun } = await openSearcher(t)
  const slow = Promise.withResolvers<SearchTask>()
  const caller = new AbortController()
  const asked = Array.from({ length: 3 }, () => search(() => slow.promise, caller))
  const patient = search(answers)
  caller.abort(new Error('left'))
  for (const left of await Promise.allSettled(asked)) t.match(left, { reason: { message: 'left' } })
  t.equal(timers.size, 1)
  slow.resolve(task)
  t.match(JSON.parse(String(await patient)), { total: 0 })
  t.equal(countBegun(), 3)
})

t.test('a search can be cancelled between each two of its steps', async (t) => {
  const { db } = await openSearcher(t)
  /** Cancels at this check, counted from 0. */
  const cancelAt = async (check: number): Promise<boolean> => {
    let checks = 0
    const cancellation = {
      throwIfAborted: () => {
        if (checks++ === check) throw new Error('cancelled')
      },
    }
    return answerSearch(db, task, cancellation).then(
      () => false,
      () => true,
    )
  }
  let steps = 0
  while (await cancelAt(steps)) steps++
  t.equal(steps, 4)
})

/** Resolves when a thread of `cancellable-thread.ts` begins a search. */
function listenToThreads(t: Test) {
  const channel = new BroadcastChannel('begun')
  t.teardown(() => channel.close())
  // Node's type misses that a channel is an event target.
  return () => once(channel as unknown as EventTarget, 'message')
}

t.test('a reader thread answers a search, and questions after it', async (t) => {
  const { search } = await openSearcher(t, openPool(t, 1))
  t.match(JSON.parse(String(await search(answers))), { total: 0 })
  t.match(JSON.parse(String(await search(answers))), { total: 0 })
})

t.test('searches that never end leave a thread to the questions', async (t) => {
  const pool = openPool(t, 3, { program: cancellableThread })
  const begin = listenToThreads(t)
  const { search } = await openSearcher(t, pool)
  const caller = new AbortController()
  const begun = begin()
  const asked = ['acme', 'globex', 'initech', 'hooli'].map((org) => search(answers, caller, org))
  await begun
  for (let count = 0; count < 5; count++) t.equal(await askForText(pool, openAsked('quick')), '0 cancelled')
  caller.abort(new Error('left'))
  for (const left of await Promise.allSettled(asked)) t.match(left, { reason: { message: 'left' } })
})

t.test('searches and questions of an organisation take turns in a thread', async (t) => {
  const pool = openPool(t, 1, { program: cancellableThread })
  const begin = listenToThreads(t)
  const { search, timers } = await openSearcher(t, pool)
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()]
  let begun = begin()
  const asked = Promise.allSettled([first, second, third].map((caller) => search(answers, caller)))
  await begun
  const questions = Array.from({ length: 2 }, () => askForText(pool, openAsked('quick')))
  await new Promise(setImmediate)
  begun = begin()
  first.abort(new Error('left'))
  await begun
  begun = begin()
  second.abort(new Error('left'))
  t.equal(await questions[0], '2 cancelled', 'after two searches that were asked before')
  await begun
  for (const end of timers) end()
  t.equal(await questions[1], '3 cancelled')
  t.match(await asked, [
    { reason: { message: 'left' } },
    { reason: { message: 'left' } },
    { reason: { code: 'unavailable', message: 'The search took longer than 10 seconds' } },
  ])
})
