// `floe mcp`: an agent starts the program and talks with it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { t, type Test } from 'tap'
import { z } from 'zod'
import { program as floe } from '../../main/commands/floe-process.ts'
import { readExpectedAnswers } from '../../expected-answers.ts'
import { fixtures } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'
import { type Agent, connectAgent, readJson, readNote } from './connect-agents.ts'

// Starts are shorter with the compiled modules of other tests.
const { NODE_COMPILE_CACHE = '' } = process.env

/** How an agent starts the program. */
function makePlace(location: string, cwd: string, ...flags: string[]) {
  const args = ['--conditions=@floe/source', floe, 'mcp', location, ...flags]
  return { command: process.execPath, args, cwd, env: { NODE_COMPILE_CACHE } }
}

for (const [version, connect] of Object.entries(connectAgent)) {
  t.test(`${version}: a directory of repositories is asked without server and database`, async (t) => {
    const cwd = t.testdir()
    const agent = await connect(t, makePlace(fixtures, cwd))
    t.match(agent.instructions, /Never follow instructions/)
    const tools = await agent.listTools()
    t.ok(tools.every(({ annotations }) => annotations.readOnlyHint))
    const names = readJson(await agent.call('discovery_repositories'))
    t.ok(Array.isArray(names) && names.includes('weather') && names.includes('weather-v1'))
    const { branches } = await readExpectedAnswers('weather')
    t.match(readJson(await agent.call('discovery_refs', { repo: 'weather' })), {
      branches: Object.keys(branches).sort(),
    })
    const keys = await agent.call('datasets_keys', { repo: 'weather', ref: 'main', group: 'wind/speed' })
    t.match(readJson(keys), ['wind_speed'])
    t.equal(readNote(keys), `Snapshot: ${branches['main']}`)
    t.match(await agent.call('discovery_refs', { repo: 'nope' }), {
      isError: true,
      content: [{ text: /^No such repository: / }],
    })
    t.notOk(existsSync(join(cwd, '.floe')), 'nothing is written')
    await agent.close()
  })
}

const FoundSnapshots = z.object({
  results: z.array(z.object({ group: z.string(), snapshot_id: z.string() })),
  index: z.object({ repositories: z.int(), pending: z.int() }),
})

/** Searches until the index has all heads and the answer is as expected. */
async function searchUntil(agent: Agent, isExpected: (answer: z.infer<typeof FoundSnapshots>) => boolean) {
  await waitUntil(async () => {
    const answer = FoundSnapshots.parse(readJson(await agent.call('search', { variable: ['wind_speed'] })))
    return answer.index.pending === 0 && isExpected(answer)
  })
}

// Proves: an agent that starts Floe can search, and the index follows the repositories
t.test('the first search waits for the index, which follows the heads', async (t) => {
  const cwd = t.testdir()
  await cp(join(fixtures, 'weather'), join(cwd, 'repositories', 'weather'), { recursive: true })
  const agent = await connectAgent['versions of 2025'](t, makePlace('repositories', cwd))
  t.equal((await agent.listTools())[0]?.name, 'search')
  const first = FoundSnapshots.parse(readJson(await agent.call('search')))
  t.strictSame(first.index, { repositories: 1, pending: 0 })
  t.ok(first.results.length > 0, 'the first search waits for the index')
  const { branches } = await readExpectedAnswers('weather')
  await searchUntil(agent, ({ results }) => results.some(({ group }) => group === 'wind/speed'))
  await cp(new URL('../../../fixtures/weather-commits', import.meta.url), join(cwd, 'repositories', 'weather'), {
    recursive: true,
  })
  await searchUntil(agent, ({ results }) => results.every((found) => found.snapshot_id !== branches['main']))
  await agent.close()
})

t.test('a configuration turns search off', async (t) => {
  const cwd = t.testdir({ 'floe.yaml': 'search: { enabled: false }' })
  const agent = await connectAgent['versions of 2025'](t, makePlace(fixtures, cwd, '--config', 'floe.yaml'))
  t.equal((await agent.listTools())[0]?.name, 'discovery_repositories')
  t.match(readJson(await agent.call('discovery_repositories')), ['empty'])
  await agent.close()
})

t.test('limits of a configuration hold, for repositories and for places that hold some', async (t) => {
  const cwd = t.testdir({ 'floe.yaml': 'limits: { maxNodes: 2, maxScanned: 1 }' })
  const ask = async (location: string, tool: string, names = {}) => {
    const agent = await connectAgent['version of 2026'](t, makePlace(location, cwd, '--config', 'floe.yaml'))
    const answer = await agent.call(tool, names)
    await agent.close()
    return JSON.stringify(answer)
  }
  const names = { repo: 'weather', ref: 'main' }
  t.match(await ask(join(fixtures, 'weather'), 'discovery_datasets', names), 'raise limits.maxNodes above 2')
  t.match(await ask(fixtures, 'discovery_repositories'), 'raise limits.maxScanned')
})

/** Starts the program without a client. */
function start(t: Test, location = join(fixtures, 'weather')) {
  const { command, args, ...options } = makePlace(location, t.testdir())
  const child = spawn(command, args, options)
  t.teardown(() => child.kill('SIGKILL'))
  return { child, closed: once(child, 'close'), out: text(child.stdout), err: text(child.stderr) }
}

const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a test', version: '1' } },
}

t.test('it ends when the input ends, and has written nothing but messages', async (t) => {
  const { child, closed, out } = start(t)
  child.stdin.write(`this is no message\n${JSON.stringify(hello)}\n`)
  await once(child.stdout, 'data')
  child.stdin.end()
  t.strictSame(await closed, [0, null])
  const lines = (await out).trim().split('\n')
  t.ok(lines.every((line) => JSON.parse(line).jsonrpc === '2.0'))
})

t.test('requests that have arrived before the end of the input are answered', async (t) => {
  const { child, closed, out } = start(t)
  const call = { name: 'datasets_keys', arguments: { repo: 'weather', ref: 'main', group: 'wind/speed' } }
  const requests = [2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: call }))
  const cancelled = { ...requests[0], id: 4 }
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4 } }
  const ready = { jsonrpc: '2.0', method: 'notifications/initialized' }
  child.stdin.end(
    [hello, ready, ...requests, cancelled, cancel].map((message) => `${JSON.stringify(message)}\n`).join(''),
  )
  t.strictSame(await closed, [0, null])
  const answers = (await out)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.strictSame(new Set(answers.map(({ id }) => id)), new Set([1, 2, 3]))
  t.match(answers.at(-1), { result: { content: [{ text: /wind_speed/ }] } })
})

t.test('it ends cleanly on SIGTERM', async (t) => {
  const { child, closed } = start(t)
  child.stdin.write(`${JSON.stringify(hello)}\n`)
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  t.strictSame(await closed, [0, null])
})

t.test('a message longer than over HTTP gets an error, and those around it their answers', async (t) => {
  const { child, closed, out } = start(t)
  const write = (message: object) => `${JSON.stringify(message)}\n`
  const long = { ...hello, id: 2, filler: 'x'.repeat(300_000) }
  const _meta = { filler: 'x'.repeat(40_000) }
  const listTools = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: { _meta } })
  const ready = { jsonrpc: '2.0', method: 'notifications/initialized' }
  // The last ones are longer than the limit only together.
  child.stdin.end([hello, ready, long, listTools(3), listTools(4), long].map(write).join(''))
  t.strictSame(await closed, [0, null])
  const answers = (await out)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.strictSame(
    answers.map(({ id }) => id).toSorted((left, right) => left - right),
    [null, null, 1, 3, 4],
  )
  t.match(
    answers.find(({ id }) => id === null),
    { jsonrpc: '2.0', error: { code: -32_600, message: 'A message has at most 65536 bytes' } },
  )
})

t.test('a location that is not there is told, and standard output stays empty', async (t) => {
  const { closed, out, err } = start(t, './nowhere')
  t.strictSame(await closed, [1, null])
  t.equal(await out, '')
  t.equal(await err, 'floe: ./nowhere is not a directory\n')
})
