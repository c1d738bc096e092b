import { addExpectation, openDatabase } from '@floe/storage/database'
import { RefNotFoundError, type Repository } from '@floe/storage/icechunk'
import { t } from 'tap'
import { findLastGood } from '../../../../server/metadata/answering/last-good.ts'
import { expectedRepository, fresh } from '../../../storage/records/database/expectations/expected.ts'
import { optionsAt } from '../../../storage/records/database/receivers/edit-receivers.ts'
import { systemTiming } from '../../../../server/timing.ts'

t.test('the reads that look for a good head have one time limit together', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const { repository, move } = await expectedRepository(db)
  const settings = { checks: null, expectations: null }
  await addExpectation(db, repository, { ...fresh, kind: 'good', settings }, optionsAt(0))
  for (const [place, head] of ['A', 'B', 'C'].entries()) await move(head, place + 1)
  const signals: AbortSignal[] = []
  const note = (signal: AbortSignal) => void signals.push(signal)
  const state = {
    resolve: async (id: string, signal: AbortSignal) => {
      note(signal)
      throw new RefNotFoundError('weather', id)
    },
  }
  const gone = {
    readState: async (signal: AbortSignal) => {
      note(signal)
      return state
    },
  } as unknown as Repository // these members are all that is called
  const entry = { ...repository, location: '', repository: gone }
  const { heads, lastGood } = await findLastGood({ db, timing: systemTiming }, entry, 'main')
  t.strictSame([heads.length, lastGood], [3, null])
  t.equal(signals.length, 4, 'the state, and each head')
  t.equal(new Set(signals).size, 1)
})
