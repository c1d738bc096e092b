// deploy/compose.yaml, with what can run without a container engine.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { t } from 'tap'
import { parse } from 'yaml'
import { z } from 'zod'
import { loadConfig } from '../../server/main/configuration/load-config.ts'
import { askService } from '../server/main/ask-service.ts'
import { reachableEngines } from '../storage/records/database/engines.ts'
import { deploy, readImage } from './dockerfile.ts'
import { fixtures, floe, startService } from './start-service.ts'

const file = await readFile(new URL('compose.yaml', deploy), 'utf8')
const secrets = { FLOE_POSTGRES_PASSWORD: 'a1b2c3', FLOE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?message}` as compose does. */
function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind = '', rest = '') => {
    const value = variables[name]
    if (value !== undefined) return value
    if (kind === '-') return rest
    throw new Error(`${name}: ${rest}`)
  })
}

const Compose = z.object({
  services: z.object({
    database: z.object({
      environment: z.record(z.string(), z.string()),
      healthcheck: z.object({ test: z.array(z.string()) }),
    }),
    floe: z.object({
      build: z.object({ context: z.string(), dockerfile: z.string() }),
      environment: z.record(z.string(), z.string()),
      deploy: z.object({ replicas: z.int() }),
      ports: z.tuple([z.string()]),
      volumes: z.array(z.string()),
      read_only: z.literal(true),
      cap_drop: z.tuple([z.literal('ALL')]),
      security_opt: z.tuple([z.literal('no-new-privileges:true')]),
      stop_grace_period: z.string(),
    }),
  }),
})
const { services } = Compose.parse(parse(interpolate(file, secrets)))
const engines = await reachableEngines(t)
const newUrl = engines.find((engine) => engine.newUrl !== undefined)?.newUrl

t.test('files that it names exist, and each replica has a port', (t) => {
  const { build, deploy: scale, ports, volumes } = services.floe
  const context = new URL(`${build.context}/`, deploy)
  t.ok(existsSync(new URL(build.dockerfile, context)))
  const mounts = volumes.map((volume) => volume.split(':')).filter(({ length }) => length > 1)
  t.equal(mounts.length, 2)
  for (const [from = '', , mode] of mounts) {
    t.ok(existsSync(new URL(from, deploy)), from)
    t.equal(mode, 'ro')
  }
  const [, first, last] = /^127\.0\.0\.1:(\d+)-(\d+):8080$/.exec(ports[0]) ?? []
  t.equal(Number(last) - Number(first) + 1, scale.replicas)
  t.ok(Number.parseInt(services.floe.stop_grace_period, 10) > 16, 'Floe takes at most 16 seconds to stop')
  t.end()
})

t.test('its variables are a configuration', async (t) => {
  const { environment } = await readImage()
  const variables = { ...environment, ...services.floe.environment }
  const { database, encryptionKey, listen } = await loadConfig(
    fileURLToPath(new URL('floe.yaml', deploy)),
    variables,
    {},
  )
  t.equal(database, 'postgres://floe:a1b2c3@database/floe')
  t.equal(encryptionKey?.length, 1)
  t.equal(listen.host, '0.0.0.0')
  const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = services.database.environment
  t.equal(database, `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@database/${POSTGRES_DB}`)
})

// Proves: the files in `deploy/` start replicas
t.test('replicas run on one database', { skip: newUrl === undefined && 'PostgreSQL does not answer' }, async (t) => {
  const database = (await newUrl?.(t)) ?? ''
  const image = await readImage()
  const configuration = await readFile(new URL('floe.yaml', deploy), 'utf8')
  const cwd = t.testdir({ 'floe.yaml': configuration.replace('/repositories', fixtures), data: { 1: {}, 2: {} } })
  const environment = { ...image.environment, ...services.floe.environment, FLOE_DATABASE: database }
  const command = image.command.slice(1).map((word) => word.replace('/etc/floe/', `${cwd}/`))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [floe, 'keys', 'create', '--org', 'acme', '--role', 'reader'],
    { env: environment },
  )
  const start = (number: number) =>
    startService(t, [process.execPath, floe, ...command], { cwd: `${cwd}/data/${number}`, environment })
  for (const { origin, stop } of await Promise.all([start(1), start(2)])) {
    const headers = { authorization: `Bearer ${stdout.trim()}` }
    const refs = await askService(`${origin}/v1/services/demo/acme/_meta/discovery/weather`, { headers })
    t.match(await refs.json(), { branches: ['dev', 'feature/one', 'main'] })
    t.equal(await stop(), 0)
  }
})

t.test('the health check of the database is a command of PostgreSQL', async (t) => {
  const { test } = services.database.healthcheck
  t.strictSame(test.slice(0, 2), ['CMD', 'pg_isready'])
  const { POSTGRES_USER, POSTGRES_DB } = services.database.environment
  t.strictSame(test.slice(2), [`--username=${POSTGRES_USER}`, `--dbname=${POSTGRES_DB}`])
  const isInstalled = await promisify(execFile)('pg_isready', ['--version']).then(
    () => true,
    () => false,
  )
  if (!isInstalled || newUrl === undefined) return
  const { stdout } = await promisify(execFile)('pg_isready', [...test.slice(2), '--host=127.0.0.1'])
  t.match(stdout, 'accepting connections')
})
