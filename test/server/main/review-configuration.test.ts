// What a service says about its start, what it opens, what looks like a mistake, and its end.
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { logStart } from '../../../server/main/review-configuration.ts'
import { waitUntil } from '../wait-until.ts'
import { fixtures } from '../start-server.ts'
import { askService } from './ask-service.ts'
import { startFloe, writeConfig } from './commands/floe-process.ts'

/** Starts a service, and collects the lines that it prints and logs. */
function start(t: Test, cwd: string, ...args: string[]) {
  const floe = startFloe(t, cwd, 'serve', ...args)
  const printed = { out: '', err: '' }
  floe.child.stdout?.on('data', (text) => (printed.out += text))
  floe.child.stderr?.on('data', (text) => (printed.err += text))
  const readLines = () => printed.out.trimEnd().split('\n')
  const readLog = () => printed.err.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  const readWarnings = () =>
    readLog().flatMap(({ setting, msg }) => (setting === undefined ? [] : [`${setting}: ${msg}`]))
  return { ...floe, readLines, readLog, readWarnings }
}

async function prepare(t: Test): Promise<string> {
  const folder = t.testdir({ repositories: {}, empty: {} })
  for (const name of ['weather', 'satellite']) {
    await cp(join(fixtures, name), join(folder, 'repositories', name), { recursive: true })
  }
  return folder
}

t.test('a start says how many repositories each public deployment opens, and warns of mistakes', async (t) => {
  const folder = await prepare(t)
  await writeConfig(folder, {
    deployments: [
      { name: 'one', org: 'acme', repos: ['wea*'], public: true },
      { name: 'all', org: 'acme', public: true },
      { name: 'private', org: 'acme' },
    ],
    orgs: { acme: { repositories: [{ scan: join(folder, 'repositories') }, { scan: join(folder, 'empty') }] } },
    notifications: { webhooks: [{ org: 'acme', repo: 'wether', url: 'https://example.org/', alias: 'a' }] },
  })
  const { child, ended, readLines, readWarnings } = start(t, folder, '--config', 'floe.yaml')
  await waitUntil(() => readLines().length === 3 && readWarnings().length === 2)
  const [listening = '', ...lines] = readLines()
  const [, origin] = /^listening on (\S+)$/.exec(listening) ?? []
  t.strictSame(lines, [
    `public: acme/one opens 1 repository to anyone at ${origin}/v1/services/one/acme/_meta/`,
    `public: acme/all opens 2 repositories to anyone at ${origin}/v1/services/all/acme/_meta/`,
  ])
  t.strictSame(readWarnings(), [
    `orgs.acme.repositories: there is no repository directly below ${join(folder, 'empty')}`,
    'notifications.webhooks.0.repo: acme has no repository called wether; did you mean weather?',
  ])
  const { org, deployments } = { org: 'acme', deployments: [{ name: 'all', org: 'acme' }] }
  const chat = { org, repo: 'sattelite', url: 'https://hooks.slack.com/services/x', alias: 'b' }
  const repositories = [{ scan: join(folder, 'repositories') }]
  const next = { listen: { port: 0 }, deployments, orgs: { acme: { repositories } }, notifications: { chats: [chat] } }
  await writeFile(join(folder, 'floe.yaml'), JSON.stringify(next))
  child.kill('SIGHUP')
  await waitUntil(() => readWarnings().length === 3)
  t.equal(
    readWarnings()[2],
    'notifications.chats.0.repo: acme has no repository called sattelite; did you mean satellite?',
    'a reload is reviewed too',
  )
  child.kill('SIGTERM')
  t.match(await ended, { code: 0 })
})

t.test('a start warns of each expectation of which nobody is told', async (t) => {
  const folder = await prepare(t)
  const expected = { org: 'acme', repo: 'weather', kind: 'freshness', maxAge: '6h' } as const
  await writeConfig(folder, {
    orgs: { acme: { repositories: [{ scan: join(folder, 'repositories') }] } },
    expectations: [
      { ...expected, alias: 'told' },
      { ...expected, branch: 'dev', alias: 'untold' },
    ],
    notifications: {
      webhooks: [
        { org: 'acme', repo: 'weather', url: 'https://example.invalid/', alias: 'a', events: ['ExpectationUnmet'] },
      ],
    },
  })
  const { child, ended, readLog } = start(t, folder, '--config', 'floe.yaml')
  await waitUntil(() => readLog().some(({ msg }) => msg === 'the repositories were listed'))
  child.kill('SIGTERM')
  t.match(await ended, { code: 0 })
  t.match(
    readLog().filter(({ expectation }) => expectation !== undefined),
    [{ level: 'warn', expectation: 'acme/weather branch dev: freshness untold', msg: /^nobody is told: / }],
  )
})

t.test('--public serves without keys, on this machine', async (t) => {
  const folder = await prepare(t)
  const { child, ended, readLines, readWarnings } = start(t, folder, './repositories', '--public', '--port', '0')
  await waitUntil(() => readLines().length === 2)
  const [, line = ''] = readLines()
  const [, address = ''] = /^public: local\/local opens 2 repositories to anyone at (\S+)$/.exec(line) ?? []
  t.strictSame(await (await askService(`${address}discovery`)).json(), ['satellite', 'weather'])
  t.strictSame(readWarnings(), [])
  child.kill('SIGTERM')
  t.match(await ended, { code: 0 })
})

t.test('the log says what has started, where its pages are, what was reloaded, and that it stops', async (t) => {
  const folder = await prepare(t)
  await writeConfig(folder, {
    baseUrl: 'https://floe.example.org/v1',
    deployments: [
      { name: 'one', org: 'acme', public: true },
      ...Array.from({ length: 10 }, (_, index) => ({ name: `more-${index}`, org: 'acme' })),
    ],
    // Nothing is sent for a branch that does not exist, so no failed delivery is logged.
    notifications: {
      webhooks: [{ org: 'acme', repo: 'weather', url: 'https://example.org/', alias: 'a', branches: ['none'] }],
    },
  })
  const { child, ended, readLog } = start(t, folder, '--config', 'floe.yaml')
  const hasSaid = (message: string) => readLog().some(({ msg }) => msg === message)
  await waitUntil(() => hasSaid('the repositories were listed'))
  child.kill('SIGHUP')
  await waitUntil(() => readLog().filter(({ msg }) => msg === 'the repositories were listed').length === 2)
  child.kill('SIGTERM')
  t.match(await ended, { code: 0 })
  const [started, listed, ...lines] = readLog()
  t.match(started, {
    level: 'info',
    msg: 'the service has started',
    version: /^\d+\.\d+\.\d+$/,
    node: process.versions.node,
    database: `sqlite:${join(folder, 'floe.db')}`,
    receivers: 1,
    public: ['acme/one'],
  })
  t.equal(started.deployments.length, 11)
  t.strictSame(started.deployments.at(-1), 'and 1 more')
  t.equal(started.pages[0], 'https://floe.example.org/v1/services/one/acme/_meta/')
  t.match(listed, { level: 'info', repositories: 2, isComplete: true })
  t.strictSame(
    lines.map(({ msg }) => msg),
    [
      'the configuration was reloaded',
      'the repositories were listed',
      'the service is stopping',
      'the service has stopped',
    ],
  )
})

t.test('the log does not show the password of the database', async (t) => {
  const lines: object[] = []
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const log = { info: (facts: object) => void lines.push(facts) }
  const config = { database: 'postgres://floe:secret@db.example.org/floe?password=secret', deployments: [] }
  await logStart(config, { db, log }, 'http://127.0.0.1/v1')
  t.match(lines, [{ database: 'postgres://db.example.org/floe' }])
})

t.test('a service whose database is lost while it starts goes on', async (t) => {
  const lines: object[] = []
  const opened = await openDatabase('sqlite::memory:')
  t.teardown(() => opened.destroy())
  const transformQuery = () => {
    throw Object.assign(new Error('the disk failed'), { code: 'SQLITE_IOERR' })
  }
  const db = opened.withPlugin({ transformQuery, transformResult: async ({ result }) => result })
  const config = { database: 'sqlite::memory:', deployments: [] }
  await logStart(config, { db, log: { info: (line: object) => void lines.push(line) } }, 'https://floe.example.org/v1')
  t.match(lines, [{ receivers: null }])
})
