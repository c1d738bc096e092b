// A running service is told to read its configuration again.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChildProcess } from 'node:child_process'
import { openDatabase } from '@floe/storage/database'
import { sql } from 'kysely'
import { t, type Test } from 'tap'
import { basic, fixtures } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'
import { askService } from '../ask-service.ts'
import { serveConfig } from '../commands/floe-process.ts'

const keyOf = (letter: string) => `floe_${letter.repeat(16)}_${letter.repeat(43)}`
const declare = (letter: string) => ({
  id: letter.repeat(16),
  sha256: createHash('sha256').update(keyOf(letter)).digest('hex'),
  role: 'admin',
})

const start = {
  listen: { port: 0 },
  database: 'sqlite:floe.db',
  deployments: [{ name: 'tiles', org: 'acme', public: true }],
  orgs: {
    acme: {
      repositories: [
        { name: 'same', location: join(fixtures, 'weather') },
        { name: 'moved', location: join(fixtures, 'weather') },
        { name: 'removed', location: join(fixtures, 'weather') },
      ],
      keys: [declare('a'), declare('b')],
    },
  },
  notifications: { allowPrivateNetworks: ['127.0.0.0/8'], pollInterval: '1h', webhooks: [] as object[] },
  limits: {},
}

/** The records that a process logs. */
async function* readLog(child: ChildProcess): AsyncGenerator<Record<string, unknown>> {
  let text = ''
  for (;;) {
    const end = text.indexOf('\n')
    if (end >= 0) {
      yield JSON.parse(text.slice(0, end))
      text = text.slice(end + 1)
    } else text += String((await once(child.stderr ?? child, 'data'))[0])
  }
}

async function prepare(t: Test) {
  const cwd = t.testdir({ 'floe.yaml': JSON.stringify(start) })
  const { child, ended, origin } = await serveConfig(t, cwd)
  const log = readLog(child)
  /** Writes a configuration, and returns what the log says about it. */
  const reload = async (config: unknown) => {
    await writeFile(join(cwd, 'floe.yaml'), JSON.stringify(config))
    child.kill('SIGHUP')
    // Not `for await`, whose end would also end the log.
    for (;;) {
      const { value } = await log.next()
      if (/^the configuration was (?:not )?reloaded|^the API keys were reloaded/.test(String(value?.['msg'])))
        return value
    }
  }
  const meta = `${origin}/v1/services/tiles/acme/_meta`
  const readSnapshot = async (repo: string) => {
    const response = await askService(`${meta}/discovery/${repo}/main`)
    await response.arrayBuffer()
    return response.status === 200 ? response.headers.get('floe-snapshot') : response.status
  }
  const administer = (letter: string, path = 'repos/same/receivers') =>
    askService(`${origin}/v1/orgs/acme/${path}`, { headers: { authorization: basic('acme', keyOf(letter)) } })
  return { cwd, child, ended, origin, meta, reload, readSnapshot, administer }
}

// Proves: `SIGHUP` reloads the configuration, and no answer uses the old one
t.test('repositories, keys, receivers and limits change without a restart, and nothing old is answered', async (t) => {
  const { child, ended, origin, meta, reload, readSnapshot, administer } = await prepare(t)
  const list = async () => (await askService(`${meta}/discovery`)).json()
  // Twice, so that the second answers are remembered ones.
  for (let count = 0; count < 2; count++) {
    t.strictSame(await list(), ['moved', 'removed', 'same'])
    for (const repo of ['moved', 'removed', 'same']) t.type(await readSnapshot(repo), 'string', repo)
  }
  const before = await readSnapshot('moved')
  t.equal((await administer('a')).status, 200)
  t.equal((await administer('c')).status, 401)

  const webhook = {
    org: 'acme',
    repo: 'same',
    url: 'https://127.0.0.1:9/hush-hush',
    alias: 'hook',
    signingSecret: null,
  }
  const record = await reload({
    ...start,
    listen: { port: 1 },
    orgs: {
      acme: {
        repositories: [
          { name: 'same', location: join(fixtures, 'weather') },
          { name: 'moved', location: join(fixtures, 'satellite') },
          { name: 'added', location: join(fixtures, 'types') },
        ],
        keys: [declare('b'), declare('c')],
      },
    },
    notifications: { ...start.notifications, webhooks: [webhook] },
    limits: { metadataPerMinute: 100 },
  })
  t.match(record, { level: 'info', msg: 'the configuration was reloaded', needRestart: ['listen.port'] })
  t.strictSame([...(record as { changed: string[] }).changed].sort(), [
    'limits.metadataPerMinute',
    'notifications.webhooks',
    'orgs.acme.keys',
    'orgs.acme.repositories',
  ])
  t.notMatch(JSON.stringify(record), 'hush-hush')
  t.strictSame(await list(), ['added', 'moved', 'same'])
  t.equal(await readSnapshot('same'), before, 'what has not moved is the same')
  const after = await readSnapshot('moved')
  t.type(after, 'string')
  t.not(after, before)
  t.equal(await readSnapshot('removed'), 404)
  t.type(await readSnapshot('added'), 'string')
  t.strictSame(await Promise.all(['b', 'c'].map(async (letter) => (await administer(letter)).status)), [200, 200])
  t.match(await (await administer('b')).json(), { items: [{ alias: 'hook', declared: true }] })
  t.equal((await askService(`${meta}/discovery`)).headers.get('ratelimit-limit'), '100')
  // A valid key is remembered for a second.
  await waitUntil(async () => (await administer('a')).status === 401)

  const { acme } = start.orgs
  await reload({ ...start, deployments: [{ name: 'tiles', org: 'globex', public: true }], orgs: { globex: acme } })
  t.equal(
    (await askService(`${meta}/discovery`)).status,
    404,
    'a public deployment of an organisation that was removed',
  )
  t.notMatch(await (await askService(`${origin}/v1/`)).text(), /tiles/, 'the start page leads to no such deployment')
  t.equal(await readSnapshot('same'), 404)
  t.equal((await administer('b')).status, 401, 'a key of that organisation')

  t.match(await reload(start), { msg: 'the configuration was reloaded', needRestart: [] })
  t.equal(await readSnapshot('moved'), before)
  t.strictSame(await (await administer('b')).json(), { items: [] })
  t.equal((await askService(`${meta}/discovery`)).headers.get('ratelimit-limit'), null)
  child.kill('SIGTERM')
  t.match(await ended, { code: 0 })
})

t.test('what was refused or answered within other limits is read anew', async (t) => {
  const { meta, reload } = await prepare(t)
  const readStatus = async () => (await askService(`${meta}/datasets/same/main/forecast/info`)).status
  t.equal(await readStatus(), 200)
  t.match(await reload({ ...start, limits: { maxNodes: 1 } }), { changed: ['limits.maxNodes'], needRestart: [] })
  t.equal(await readStatus(), 422)
  await reload(start)
  t.equal(await readStatus(), 200)
})

t.test('a database that fails after it took the keys is reported so, and the next reload does the rest', async (t) => {
  const { cwd, reload, readSnapshot, administer } = await prepare(t)
  const db = await openDatabase(`sqlite:${join(cwd, 'floe.db')}`)
  t.teardown(() => db.destroy())
  await sql`create trigger refuse before insert on receivers begin select raise(abort, 'no room'); end`.execute(db)
  const hook = { org: 'acme', repo: 'same', url: 'https://127.0.0.1:9/', alias: 'hook' }
  const { repositories } = start.orgs.acme
  const next = {
    ...start,
    orgs: { acme: { repositories: repositories.slice(0, 2), keys: [declare('b'), declare('c')] } },
    notifications: { ...start.notifications, webhooks: [hook] },
  }
  const msg = /^the API keys were reloaded, but not all of the rest: no room$/
  t.match(await reload(next), { level: 'error', msg })
  t.equal((await administer('c')).status, 200)
  t.strictSame(await (await administer('c')).json(), { items: [] })
  t.type(await readSnapshot('removed'), 'string')
  await sql`drop trigger refuse`.execute(db)
  t.match(await reload(next), { msg: 'the configuration was reloaded' })
  t.match(await (await administer('c')).json(), { items: [{ alias: 'hook' }] })
  t.equal(await readSnapshot('removed'), 404)
})

// Proves: an invalid file changes nothing, and the log says why
t.test('a configuration that cannot be used changes nothing, and the log says why', async (t) => {
  const { child, ended, reload, readSnapshot, administer } = await prepare(t)
  const bad = [
    [{ ...start, limits: { streams: 'none' } }, /the configuration was not reloaded: .*limits\.streams/s],
    ['[', /the configuration was not reloaded: floe.yaml must be a mapping/],
    [
      { ...start, orgs: { acme: { repositories: [{ scan: './nowhere' }] } } },
      /the configuration was not reloaded: .*nowhere is not a directory/,
    ],
    [{ ...start, deployments: [] }, /the configuration was not reloaded: give --org and --deployment/],
  ] as const
  for (const [config, msg] of bad) {
    t.match(await reload(config), { level: 'error', msg })
    t.type(await readSnapshot('removed'), 'string')
    t.equal((await administer('a')).status, 200)
  }
  child.kill('SIGTERM')
  t.match(await ended, { code: 0 })
})
