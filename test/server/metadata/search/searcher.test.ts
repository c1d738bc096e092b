// Searches end in time, and with their callers.
import { openDatabase } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { answerSearch, type SearchTask } from '../../../../server/metadata/search/answer-search.ts'
import { parseSearch } from '../../../../server/metadata/search/parse-search.ts'
import { Searcher } from '../../../../server/metadata/search/searcher.ts'

const task: SearchTask = {
  search: parseSearch({ q: 'air' }, { org: 'acme', repos: null, branches: [] }),
  address: { v1: '/v1', deployment: 'open', org: 'acme', assetsRoot: '' },
  form: { format: 'json' },
}

/** A searcher whose time passes when the test says so. */
async function openSearcher(t: Test) {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const timers = new Set<() => void>()
  const after = (_: number, callback: () => void) => {
    timers.add(callback)
    return () => timers.delete(callback)
  }
  const searcher = new Searcher(db, { after })
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
  for (const refused of await Promise.allSettled(asked))
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
