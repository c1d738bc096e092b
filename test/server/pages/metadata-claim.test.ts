import { t } from 'tap'
import { startServer } from '../start-server.ts'

t.test('pages of metadata say that no array data was opened, and no other page does', async (t) => {
  const server = await startServer(t)
  const html = { accept: 'text/html' }
  const claims = async (answer: Promise<Response>) => (await (await answer).text()).includes('no array data was opened')
  for (const path of ['', 'discovery/weather', 'discovery/weather/main', 'datasets/weather/main/forecast']) {
    t.equal(await claims(server.get(`${server.meta}/${path}`, html)), true, path)
  }
  for (const path of [`${server.meta}/discovery/nowhere`, `${server.origin}/problems/forbidden`]) {
    t.equal(await claims(server.get(path, html)), false, path)
  }
  t.equal(await claims(server.administer('GET', 'repos/weather/settings')), false, 'settings')
})
