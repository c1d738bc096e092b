// A command loads only what it needs, so that it starts quickly and takes little memory.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { t } from 'tap'
import { fixtures } from '../../start-server.ts'
import { program } from './floe-process.ts'

const listPackages = new URL('list-packages.js', import.meta.url).href

/** Packages of other databases and of object stores. */
const ofElsewhere = ['pg', '@aws-sdk/client-s3', '@azure/storage-blob', '@google-cloud/storage']

/**
 * What only traces, deliveries, agents, documents, tokens, files of YAML, remote stores, a database in memory or
 * projected areas need, and what Fastify needs for JSON Schemas, which our routes do not have.
 */
const onDemand = [
  'fetch',
  '@fastify/otel',
  '@opentelemetry/sdk-trace',
  '@modelcontextprotocol/server',
  'undici',
  'openid-client',
  'jose',
  'yaml',
  '@ts-rest/open-api',
  '@anatine/zod-openapi',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'better-sqlite3',
  'proj4',
]

/**
 * Runs a command; a server is stopped once it listens. Returns the names of the packages and built files that were
 * loaded.
 */
async function listLoaded(cwd: string, args: readonly string[], floe = program): Promise<ReadonlySet<string>> {
  const { NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, ['--conditions=@floe/source', `--import=${listPackages}`, floe, ...args], {
    cwd,
    env: { NODE_COMPILE_CACHE },
    // An agent that has nothing to say.
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Other commands end by themselves, and a signal would interrupt them.
  if (args[0] === 'serve') child.stdout.once('data', () => child.kill('SIGTERM'))
  else child.stdout.resume()
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new Error(errors)
  return new Set((errors.trimEnd().split('\n').at(-1) ?? '').split(' '))
}

/** The program that `npx floe` runs. */
const built = fileURLToPath(new URL('../../../../server/bin/floe.js', import.meta.url))

t.test('of the built program, a command loads neither the service nor another database', async (t) => {
  const help = await listLoaded(t.testdir(), ['--help'], built)
  t.ok(help.has('floe.js') && help.size <= 6, [...help].join(' '))
  const loaded = await listLoaded(t.testdir(), ['keys', 'create', '--org', 'acme', '--role', 'reader'], built)
  t.ok(loaded.has('keys.js'))
  for (const name of ['serve', 'open-postgres', 'make-mcp-server', 'receiver-agent'])
    t.notOk(loaded.has(`${name}.js`), name)
  for (const name of ofElsewhere) t.notOk(loaded.has(name), name)
})

t.test('help loads no package', async (t) => {
  t.strictSame(await listLoaded(t.testdir(), ['help', 'serve']), new Set(['']))
})

t.test('what reader threads run loads neither zod, nor projections, nor a parser of YAML', async (t) => {
  const directory = new URL('../../../../server/reading/questions/', import.meta.url)
  for (const name of ['answer-question.ts', 'answer-diff.ts']) {
    const loaded = await listLoaded(t.testdir(), [], fileURLToPath(new URL(name, directory)))
    t.ok(loaded.has('lru-cache'), `${name} reads repositories`)
    for (const other of ['zod', 'proj4', 'yaml']) t.notOk(loaded.has(other), `${name}: ${other}`)
  }
})

for (const args of [
  ['keys', 'create', '--org', 'acme', '--role', 'reader'],
  ['secrets', 'rotate-key'],
]) {
  t.test(`${args.slice(0, 2).join(' ')} loads a database and no server`, async (t) => {
    const loaded = await listLoaded(t.testdir(), args)
    t.ok(loaded.has('kysely'))
    for (const name of ['fastify', 'pino', 'undici', ...ofElsewhere]) t.notOk(loaded.has(name), name)
  })
}

t.test('backup, restore and check load no server, and of databases only SQLite', async (t) => {
  const cwd = t.testdir()
  await listLoaded(cwd, ['keys', 'create', '--org', 'acme', '--role', 'reader'])
  for (const args of [
    ['backup', 'floe.backup'],
    ['restore', 'floe.backup', '--force'],
    ['check', `${fixtures}/weather`, '--org', 'acme', '--deployment', 'tiles'],
  ]) {
    const loaded = await listLoaded(cwd, args)
    t.ok(loaded.has('kysely'), args.join(' '))
    for (const name of ['fastify', 'pino', 'undici', ...ofElsewhere]) t.notOk(loaded.has(name), `${args[0]}: ${name}`)
  }
})

// Proves: a command loads only the packages that it needs
t.test('inspect loads no server and no database', async (t) => {
  const loaded = await listLoaded(t.testdir(), ['inspect', `${fixtures}/weather`])
  for (const name of ['fastify', 'better-sqlite3', ...ofElsewhere]) t.notOk(loaded.has(name), name)
})

t.test('mcp loads neither PostgreSQL nor object stores', async (t) => {
  const loaded = await listLoaded(t.testdir(), ['mcp', fixtures])
  t.ok(loaded.has('@modelcontextprotocol/server'))
  for (const name of ofElsewhere) t.notOk(loaded.has(name), name)
})

t.test(
  'serving directories with SQLite loads neither PostgreSQL, nor object stores, nor what only some requests need',
  async (t) => {
    const args = ['serve', fixtures, '--org', 'acme', '--deployment', 'tiles', '--port', '0']
    const loaded = await listLoaded(t.testdir(), args)
    t.ok(loaded.has('fastify'))
    for (const name of [...ofElsewhere, ...onDemand]) t.notOk(loaded.has(name), name)
  },
)
