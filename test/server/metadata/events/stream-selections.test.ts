import { defaultFilter } from '@floe/contract/lists'
import { t } from 'tap'
import { StreamSelections } from '../../../../server/metadata/events/stream-selections.ts'
import { testOnEngines } from '../../../storage/records/database/engines.ts'

const test = await testOnEngines(t)

test('only a selection that no stream of any process had is announced', async (t, { db, connect }) => {
  let now = 1_000_000
  let announced = 0
  const timing = { now: () => now, elapsed: () => now }
  const open = async () => new StreamSelections({ db: await connect(), timing, onSelection: () => announced++ })
  const [first, second] = [await open(), await open()]
  const stream = (branch: string) => {
    const caller = { tenant: 'acme', caller: '127.0.0.1', isAnonymous: true }
    const scope = { org: 'acme', deployment: 'demo', caller, repo: undefined, reader: null }
    return { ...scope, filter: { ...defaultFilter, branches: [branch] }, served: { patterns: ['**'] } }
  }
  await first.open(stream('main'))
  t.equal(announced, 0)
  await first.open(stream('dev'))
  t.equal(announced, 1)
  await first.open(stream('dev'))
  await second.open(stream('dev'))
  await second.renew([stream('dev'), stream('main')])
  t.equal(announced, 1)
  await second.open(stream('ice'))
  t.equal(announced, 2)
  now += 120_000
  await first.open(stream('dev'))
  t.equal(announced, 3, 'it was wanted no more')
  t.equal((await db.selectFrom('stream_selections').select('id').execute()).length, 2)
})
