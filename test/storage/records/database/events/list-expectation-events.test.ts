import { addExpectation, listExpectationEvents } from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { expectedRepository, fresh, met, unmet } from '../expectations/expected.ts'
import { optionsAt } from '../receivers/edit-receivers.ts'
import { at } from '../recorded.ts'

const test = await testOnEngines(t)

test('the last events of each expectation of a branch are listed, those of others are not', async (t, { db }) => {
  const { repository, move, find, judge } = await expectedRepository(db)
  const {
    expectation: { id: one },
  } = await addExpectation(db, repository, { ...fresh, branch: 'main' }, optionsAt(0))
  const {
    expectation: { id: two },
  } = await addExpectation(db, repository, { ...fresh, branch: 'dev' }, optionsAt(1))
  await move('A', 2)
  await move('A', 2, 'dev')
  for (const [place, judgement] of [unmet, met, unmet].entries()) {
    await judge(await find('main'), judgement, 10 + place)
    await judge(await find('dev'), judgement, 20 + place)
  }
  const list = async (branch: string, limit = 10, ids = [one, two]) => {
    const listed = await listExpectationEvents(db, { repoId: repository.id, branch, ids }, limit)
    return Array.from(listed, ([id, events]) => [id, ...events.map(({ name, at: time }) => [name, time])])
  }
  const [first, second, third] = [
    ['ExpectationUnmet', at(10)],
    ['ExpectationMet', at(11)],
    ['ExpectationUnmet', at(12)],
  ]
  t.strictSame(await list('main'), [[one, first, second, third]])
  t.strictSame(await list('main', 2), [[one, second, third]])
  t.strictSame(
    (await list('dev')).map(([id]) => id),
    [two],
  )
  t.strictSame(await list('main', 10, [two]), [])
  t.strictSame(await list('main', 10, []), [])
})
