import { pino } from 'pino'
import { t } from 'tap'
import { callTool } from '../../../../server/metadata/agents/call-tool.ts'
import { tools } from '../../../../server/metadata/agents/tools.ts'
import { RequestProblem } from '../../../../server/problems/request-problem.ts'
import { makeSilentSource } from '../../catalog/silent-source.ts'
import { startServer } from '../../start-server.ts'
import { connectAgent } from './connect-agents.ts'

for (const [version, connect] of Object.entries(connectAgent)) {
  t.test(`${version}: reading ends when the agent gives up the call, and that is not logged as a fault`, async (t) => {
    const logged: string[] = []
    const log = pino({ level: 'error' }, { write: (line) => logged.push(line) })
    const reading = Promise.withResolvers<{ readonly aborted: Promise<void> }>()
    const server = await startServer(t, { sources: [makeSilentSource(reading.resolve)], log })
    const agent = await connect(t, { url: `${server.publicMeta}/mcp`, headers: {} })
    const leaving = new AbortController()
    const answer = agent.call('datasets_info', { repo: 'weather', ref: 'main', group: 'forecast' }, leaving.signal)
    const { aborted } = await reading.promise
    leaving.abort()
    await t.rejects(answer)
    // An agent of the version of 2025 leaves its request open, and says in another that it does not want the answer any
    // more. Without sessions, that other request cannot end the first one, which ends when the agent leaves.
    await agent.close()
    await aborted
    t.equal((await fetch(`${server.origin}/healthz`)).status, 200)
    t.same(logged, [])
  })
}

const tool = tools.get('datasets_info')
const caller = { deployment: 'tiles', org: 'acme', caller: null, ip: '127.0.0.1' }
const given = { repo: 'weather', ref: 'main' }

t.test('a call that takes too long is answered with a problem', async (t) => {
  if (tool === undefined) throw new Error('there is no such tool')
  const lines: unknown[] = []
  const faults = { note: (_error: unknown, message: string, facts?: object) => void lines.push({ message, ...facts }) }
  const routers = { datasets: { info: () => new Promise(() => undefined) } }
  const parts = { routers, timeoutMs: 1, faults }
  const answer = await callTool(parts, tool, given, { ...caller, requestId: 'a', signal: new AbortController().signal })
  t.match(answer, { isError: true, content: [{ text: 'Not available: The answer took longer than 0.001 s' }] })
  t.strictSame(lines, [{ message: 'The answer took longer than 0.001 s', problem: 'unavailable', reqId: 'a' }])
})

t.test('a call whose caller has left is not answered', async (t) => {
  if (tool === undefined) throw new Error('there is no such tool')
  const leaving = new AbortController()
  const routers = {
    datasets: {
      info: () => {
        leaving.abort(new Error('gone'))
        return new Promise(() => undefined)
      },
    },
  }
  const parts = { routers, faults: { note: () => t.fail('that is no fault') } }
  await t.rejects(callTool(parts, tool, given, { ...caller, signal: leaving.signal }), { message: 'gone' })
})

t.test('a refusal is not logged as a fault, and its message contains no key', async (t) => {
  if (tool === undefined) throw new Error('there is no such tool')
  const key = `floe_0123456789abcdef_${'x'.repeat(43)}`
  const refusal = new RequestProblem('unavailable', `Too many requests wait for ${key}`)
  const routers = { datasets: { info: () => Promise.reject(refusal) } }
  const parts = { routers, faults: { note: () => t.fail('that is no fault') } }
  const answer = await callTool(parts, tool, given, { ...caller, signal: new AbortController().signal })
  const text = 'Not available: Too many requests wait for floe_0123456789abcdef_[hidden]'
  t.strictSame(answer, { isError: true, content: [{ type: 'text', text }] })
})
