import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { makeMoodyStore } from '../catalog/moody-store.ts'
import { fixtures, startServer } from '../start-server.ts'

t.test('the page of an organisation lists the repositories of stores that answer only listings', async (t) => {
  const names = Array.from({ length: 40 }, (_, index) => `ice-${index}`)
  const server = await startServer(t, {
    sources: [
      { kind: 'scan', store: makeMoodyStore(names, { is: 'listing' }) },
      { kind: 'scan', store: openLocalStore(fixtures) },
    ],
  })
  const page = await (await server.get('discovery', { accept: 'text/html' })).text()
  t.equal(page.match(/>ice-/g)?.length, 40)
  t.match(page, '>weather<')
  t.match(await (await server.get('discovery')).json(), ['empty', 'expired'])
})
