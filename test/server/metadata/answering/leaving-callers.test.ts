import { pino } from 'pino'
import { t } from 'tap'
import { makeSilentSource } from '../../catalog/silent-source.ts'
import { startServer } from '../../start-server.ts'

t.test('reading ends when the only caller leaves, and that is not logged as a fault', async (t) => {
  const logged: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => logged.push(line) })
  const reading = Promise.withResolvers<{ readonly aborted: Promise<void> }>()
  const server = await startServer(t, { sources: [makeSilentSource(reading.resolve)], log })
  const leaving = new AbortController()
  const response = fetch(`${server.publicMeta}/datasets/weather/main/forecast/info`, { signal: leaving.signal })
  const { aborted } = await reading.promise
  leaving.abort()
  await t.rejects(response, { name: 'AbortError' })
  await aborted
  t.equal((await fetch(`${server.origin}/healthz`)).status, 200)
  t.same(logged, [])
})
