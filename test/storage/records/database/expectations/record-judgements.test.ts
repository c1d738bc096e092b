import { addExpectation, type Database, type NewExpectation } from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { optionsAt } from '../receivers/edit-receivers.ts'
import { at } from '../recorded.ts'
import { expectedRepository, fresh, met, unmet } from './expected.ts'

const test = await testOnEngines(t)

/** A repository with one expectation. */
async function expectOne(db: Database, changes: Partial<NewExpectation> = {}) {
  const expected = await expectedRepository(db)
  const { expectation } = await addExpectation(db, expected.repository, { ...fresh, ...changes }, optionsAt(0))
  return { ...expected, expectation }
}

test('each change of state is told once, whichever process sees it', async (t, { db, connect }) => {
  const { move, find, judge, listEvents } = await expectOne(db)
  await move('A', 1)
  t.strictSame(await judge(await find(), met, 1), { hasEvents: false, isCurrent: true, nextDueAt: null })
  await move('B', 2)
  const from = await find()
  const processes = [db, await connect(), await connect()]
  const recorded = await Promise.all(processes.map((one) => judge(from, unmet, 3, one)))
  t.equal(recorded.filter(({ hasEvents }) => hasEvents).length, 1)
  t.match(await find(), { state: { headId: 'B', verdict: 'unmet', unmetSince: at(3), facts: { found: 1 } } })
  await move('C', 4)
  t.strictSame(await judge(await find(), unmet, 5), { hasEvents: false, isCurrent: true, nextDueAt: null })
  await move('D', 6)
  await judge(await find(), met, 7)
  t.match(await find(), { state: { headId: 'D', verdict: 'met', failingSince: null, unmetSince: null } })
  t.strictSame(await listEvents(), ['ExpectationUnmet main #1 since 3, at B', 'ExpectationMet main #2 since 3, at D'])
})
