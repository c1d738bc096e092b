import { Problem } from '@floe/contract'
import { t, type Test } from 'tap'
import { z } from 'zod'
import { openLog } from '../../../server/observation/open-log.ts'
import { basic, type ServerOptions, startServer } from '../start-server.ts'
import { waitUntil } from '../wait-until.ts'

const Line = z.looseObject({ level: z.string(), msg: z.string() })

/** A server, and the lines of its log. */
async function startLogging(t: Test, options: ServerOptions = {}, level: 'debug' | 'info' = 'debug') {
  const lines: z.output<typeof Line>[] = []
  const write = (line: string) => void lines.push(Line.parse(JSON.parse(line)))
  const log = openLog(level, { destination: { write } })
  const server = await startServer(t, { ...options, log })
  return { server, lines, listRequests: () => lines.filter(({ msg }) => msg === 'request') }
}

t.test('each request has one line, also one whose answer was remembered', async (t) => {
  const { server, listRequests } = await startLogging(t, { refMaxAge: 60_000 })
  for (let n = 0; n < 3; n++) await (await server.get('discovery/weather?x=1')).text()
  const lines = listRequests()
  t.equal(lines.length, 3)
  const url = '/v1/services/tiles/acme/_meta/discovery/weather'
  for (const line of lines)
    t.match(line, { level: 'debug', method: 'GET', url, status: 200, ms: Number, key: /^[0-9a-f]{16}$/ })
  t.equal(new Set(lines.map(({ reqId }) => reqId)).size, 3)
})

// Proves: each request has one line in the log, and its problem has the id of that line
t.test('a problem names the line of its request, which says why it was refused', async (t) => {
  const { server, lines } = await startLogging(t)
  const refused = [
    '/v1/services/tiles/acme/_meta/discovery/nothing',
    '/nowhere',
    `/v1/${'x'.repeat(13_000)}/y`,
    '/v1/%zz',
  ]
  for (const path of refused) {
    lines.length = 0
    const response = await server.get(server.origin + path)
    const { instance, detail, type } = Problem.parse(await response.json())
    t.equal(lines.length, 1, path)
    t.match(lines[0], { status: response.status, problem: type.replace('/problems/', ''), detail }, path)
    t.equal(instance, `urn:uuid:${String(lines[0]?.['reqId'])}`)
  }
})

t.test('a fault has a line of its own, with the id of the request', async (t) => {
  const { server, lines } = await startLogging(t)
  await server.db.schema.dropTable('audit').execute()
  const response = await server.administer('GET', 'audit')
  const { instance } = Problem.parse(await response.json())
  const ofRequest = lines.filter(({ problem }) => problem !== undefined)
  t.match(ofRequest, [
    { level: 'error', problem: 'internal', err: { message: /audit/ } },
    { level: 'debug', status: 500, problem: 'internal' },
  ])
  for (const { reqId } of ofRequest) t.equal(`urn:uuid:${String(reqId)}`, instance)
})

t.test('above the level debug, requests have no lines', async (t) => {
  const { server, lines } = await startLogging(t, { refMaxAge: 60_000 }, 'info')
  for (let n = 0; n < 3; n++) await (await server.get('discovery/weather')).text()
  await (await server.get('discovery/nothing')).text()
  t.strictSame(lines, [])
})

t.test('a caller who leaves is told from one who was answered', async (t) => {
  const { server, listRequests } = await startLogging(t)
  const leaving = new AbortController()
  const stream = await fetch(`${server.meta}/events`, {
    headers: { authorization: basic('acme', server.apiKey) },
    signal: leaving.signal,
  })
  t.strictSame(listRequests(), [], 'a stream has its line at its end')
  leaving.abort()
  await stream.text().catch(() => {})
  await waitUntil(() => listRequests().length > 0)
  t.match(listRequests(), [{ status: 200, url: /\/events$/ }])
})
