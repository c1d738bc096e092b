import { Writable } from 'node:stream'
import { pino } from 'pino'
import { t } from 'tap'
import { startAdministration } from './start-administration.ts'

t.test('an answer that the contract does not know stays inside, and the log says why', async (t) => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const server = await startAdministration(t, { log: pino({ level: 'warn' }, stream) })
  const webhook = { url: 'https://127.0.0.1/', alias: 'hush', events: ['NewCommit'] }
  await server.administer('POST', 'repos/weather/webhooks', webhook)
  await server.db.updateTable('receivers').set({ events: '["NewTag"]' }).execute()
  const response = await server.administer('GET', 'repos/weather/webhooks')
  t.equal(response.status, 500)
  const text = await response.text()
  const problem = JSON.parse(text)
  t.match(problem, { type: '/problems/internal' })
  t.notMatch(text, /hush|NewTag|events/)
  const told = lines.find((line) => line.includes(problem.instance.slice('urn:uuid:'.length))) ?? ''
  t.match(told, 'events')
  t.ok(told.length < 5_000, `${told.length} characters`)
})
