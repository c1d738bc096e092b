import { openLocalStore } from '@floe/storage/objects'
import t from 'tap'
import { systemTiming } from '../../../server/timing.ts'
import { makeMoodyStore } from '../repositories/moody-store.ts'
import { fixtures, startServer } from '../start-server.ts'

t.test('the page of an organisation shows the repositories of the stores that answer', async (t) => {
  const names = Array.from({ length: 40 }, (_, index) => `ice-${index}`)
  const server = await startServer(t, {
    sources: [
      { kind: 'scan', store: makeMoodyStore(names, { is: 'listing' }) },
      { kind: 'scan', store: openLocalStore(fixtures) },
    ],
    // The page waits for five seconds.
    after: (ms, callback) => systemTiming.after(ms === 5_000 ? 1_000 : ms, callback),
  })
  const page = await (await server.get('discovery', { accept: 'text/html' })).text()
  t.equal(page.match(/was not read within 5 s/g)?.length, 40)
  t.match(page, 'weather', 'with its last commit')
  t.match(await (await server.get('discovery')).json(), ['empty', 'expired'])
})
