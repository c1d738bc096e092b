import { randomBytes } from 'node:crypto'
import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { addExpectation, applyDeclaredReceivers, openDatabase } from '@floe/storage/database'
import { openKeyFile } from '@floe/storage/secrets'
import { sql } from 'kysely'
import { t, type Test } from 'tap'
import { reachableEngines } from '../../../../storage/records/database/engines.ts'
import { fresh } from '../../../../storage/records/database/expectations/expected.ts'
import { optionsAt } from '../../../../storage/records/database/receivers/edit-receivers.ts'
import { webhook } from '../../../../storage/records/database/recorded.ts'
import { makeKey, startIssuer } from '../../../issuers/start-issuer.ts'
import { startProxy } from '../../../notifications/start-proxy.ts'
import { startReceiver } from '../../../notifications/start-receiver.ts'
import { fixtures } from '../../../start-server.ts'
import type { ConfigInput } from '../../../../../server/main/configuration/schema.ts'
import { writeConfig } from '../floe-process.ts'
import { runHere } from '../run-here.ts'
import { rememberRepository } from '../../../../storage/records/database/remember-repository.ts'

type Finding = {
  readonly kind: string
  readonly name: string
  readonly ok: boolean
  readonly isNote?: true
  readonly detail: string
}

const run = (...args: string[]) => runHere(['check', ...args])

/** A folder with a repository and a configuration. */
async function prepare(t: Test, changes: ConfigInput = {}) {
  const folder = t.testdir({ repositories: {} })
  await cp(join(fixtures, 'weather'), join(folder, 'repositories/weather'), { recursive: true })
  const file = await writeConfig(folder, changes)
  const check = async () => {
    const { code, out } = await run('--config', file, '--json')
    const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: readonly Finding[] }
    t.equal(ok, code === 0)
    return { ok, findings, of: (kind: string) => findings.filter((one) => one.kind === kind) }
  }
  return { folder, file, database: `sqlite:${join(folder, 'floe.db')}`, check }
}

t.test('each issuer of tokens is asked for its keys', async (t) => {
  const { issuer } = await startIssuer(t, [await makeKey('ec'), await makeKey('rsa', 'RS256')])
  const down = 'http://127.0.0.1:1'
  const rules = [{ claim: 'groups', value: 'data-admins', org: 'acme', role: 'admin' as const }]
  const issuers = [issuer, down].map((address) => ({ issuer: address, rules }))
  const { check } = await prepare(t, { baseUrl: 'https://floe.example.org/v1', auth: { issuers } })
  t.match((await check()).of('issuer'), [
    { name: issuer, ok: true, detail: 'has 2 keys' },
    { name: down, ok: false, detail: /127\.0\.0\.1 refused the connection on port 1/ },
  ])
})

const hook = (alias: string, url: string) => ({ org: 'acme', repo: 'weather', alias, url })

// Proves: `check` changes nothing
t.test('a service that can start passes, and nothing is changed', async (t) => {
  const { folder, file, check } = await prepare(t)
  const { ok, findings } = await check()
  t.ok(ok)
  t.match(findings, [
    { kind: 'configuration', name: file, detail: 'serves acme/tiles' },
    { kind: 'database', detail: 'does not exist yet; the first start creates it' },
    { kind: 'repository', name: 'acme/weather', detail: /^format version 2, main at [0-9A-Z]{20}, branches: \d+, / },
  ])
  t.strictSame((await readdir(folder)).sort(), ['floe.yaml', 'repositories'])
  t.match(await run('--config', file), {
    code: 0,
    out: /\nok {6}repository acme\/weather: format version 2, /,
    err: '',
  })
})

// Proves: `check` names each repository that cannot be read
t.test('each repository that cannot be read is named, and does not hide the others', async (t) => {
  const repositories = [
    { name: 'weather', location: join(fixtures, 'weather') },
    { name: 'damaged', location: join(t.testdirName, 'damaged') },
    { name: 'gone', location: join(t.testdirName, 'gone') },
    { scan: join(t.testdirName, 'nowhere') },
  ]
  const { folder, file, check } = await prepare(t, { orgs: { acme: { repositories } } })
  await cp(join(fixtures, 'weather'), join(folder, 'damaged'), { recursive: true })
  await rm(join(folder, 'damaged/snapshots'), { recursive: true })
  const { of } = await check()
  t.match(of('repository'), [
    { name: 'acme/weather', ok: true },
    { name: 'acme/damaged', ok: false, detail: /snapshots\// },
    { name: 'acme/gone', ok: false, detail: /is not a directory/ },
    { name: 'acme/*', ok: false, detail: /is not a directory/ },
  ])
  t.match(await run('--config', file), {
    code: 1,
    out: /\nFAILED {2}repository acme\/gone: /,
    err: 'floe: 3 of 6 checks failed\n',
  })
})

t.test('a location with too many directories is named with the setting', async (t) => {
  const { folder, check } = await prepare(t, { limits: { maxScanned: 1 } })
  await cp(join(fixtures, 'weather'), join(folder, 'repositories/other'), { recursive: true })
  const detail = /\/repositories: listing: more than 1 .* to allow more, raise limits\.maxScanned$/
  t.match((await check()).of('repository'), [{ name: 'acme/*', ok: false, detail }])
})

// Proves: `check` names each receiver whose host is not found or not allowed
t.test('the host of each receiver must be found and allowed', async (t) => {
  const webhooks = [
    hook('here', 'https://localhost:9999/hush-hush'),
    hook('address', 'https://127.0.0.1/hush-hush'),
    hook('nowhere', 'https://nowhere.invalid/hush-hush'),
    { ...hook('everywhere', 'https://127.0.0.1/hush-hush'), repo: null, repos: ['**'] },
  ]
  const { file, check } = await prepare(t, { notifications: { allowPrivateNetworks: ['127.0.0.0/8'], webhooks } })
  const { of } = await check()
  t.match(of('receiver'), [
    { name: 'acme/weather here', ok: true, detail: /^localhost is found at .*127\.0\.0\.1/ },
    { name: 'acme/weather address', ok: true, detail: '127.0.0.1 is an address that may be sent to' },
    { name: 'acme/weather nowhere', ok: false, detail: 'nowhere.invalid cannot be found' },
    { name: 'acme everywhere', ok: true },
  ])
  t.notMatch(JSON.stringify(await run('--config', file)), 'hush-hush')
})

t.test('the proxy is tried, and connects to each receiver', async (t) => {
  const port = await startReceiver(t, () => t.fail('something was sent'))
  const { url, asked, die } = await startProxy(t, { credentials: 'floe:hush-hush' })
  const webhooks = [
    hook('here', `https://127.0.0.1:${port}/`),
    hook('same', `https://127.0.0.1:${port}/other`),
    hook('unknown here', `https://receiver.invalid:${port}/`),
    hook('closed', 'https://127.0.0.1:1/'),
    hook('refused', 'https://localhost/'),
  ]
  const { folder, file, check } = await prepare(t)
  const configure = (proxy: string) =>
    writeConfig(folder, { notifications: { allowPrivateNetworks: ['127.0.0.1/32'], proxy, webhooks } })
  await configure(url.replace('//', '//floe:hush-hush@'))
  const { of } = await check()
  const { host } = new URL(url)
  t.match(of('proxy'), [{ name: host, ok: true, detail: 'accepts connections' }])
  const connects = { ok: true, detail: `the proxy connects to 127.0.0.1:${port}` }
  t.match(of('receiver'), [
    connects,
    connects,
    { ok: true, detail: `the proxy connects to receiver.invalid:${port}` },
    { ok: false, detail: /answered 502 when it was asked for a connection to 127\.0\.0\.1 on port 1$/ },
    { ok: false, detail: /answered 502 when/ },
  ])
  t.equal(asked.length, 4, 'once for each host and port')
  await configure(url)
  t.match((await check()).of('receiver')[0], { ok: false, detail: /answered 407: .* notifications\.proxy$/ })
  await configure('environment')
  const missing = await runHere(['check', '--config', file], { HTTPS_PROXY: 'socks5://hush-hush' })
  t.match(missing, { code: 1, out: /notifications\.proxy names the environment, and HTTPS_PROXY must be the address/ })
  t.notMatch(missing.out, 'hush-hush')
  const named = await runHere(['check', '--config', file], { HTTPS_PROXY: url, NO_PROXY: '127.0.0.1' })
  t.match(named.out, new RegExp(`ok {6}proxy ${host}: accepts connections`))
  t.match(named.out, /acme\/weather here: 127\.0\.0\.1 is an address that may be sent to/)
  die()
  await configure(url)
  const { of: ofDead } = await check()
  t.match(ofDead('proxy'), [{ name: host, ok: false, detail: /ECONNREFUSED/ }])
  t.match(ofDead('receiver')[0], { ok: false, detail: /^the proxy of Floe cannot be used/ })
})

t.test('listenUrl must be an address of the same database', async (t) => {
  const newUrl = (await reachableEngines(t)).find((engine) => engine.newUrl !== undefined)?.newUrl
  if (newUrl === undefined) {
    t.pass('there is no PostgreSQL server')
    return
  }
  const [database, other] = [await newUrl(t), await newUrl(t)]
  await (await openDatabase(database)).destroy()
  const { folder, check } = await prepare(t)
  const checkListening = async (listenUrl: string | null) => {
    await writeConfig(folder, { database, listenUrl, encryptionKey: randomBytes(32).toString('base64') })
    return (await check()).of('database').filter(({ name }) => name.startsWith('listenUrl '))
  }
  t.strictSame(await checkListening(null), [])
  t.match(await checkListening(database), [{ ok: true, detail: 'messages of replicas arrive' }])
  t.match(await checkListening(other), [{ ok: false, detail: /^is not the address of the same database/ }])
  t.match(await checkListening('postgres://me:hush@127.0.0.1:1/floe'), [{ ok: false, detail: /ECONNREFUSED/ }])
})

t.test('the receivers and secrets of the database are checked too', async (t) => {
  const { folder, database, check } = await prepare(t)
  const db = await openDatabase(database)
  const now = new Date()
  const repoId = await rememberRepository(db, 'acme', 'weather', now)
  const keyFile = join(folder, 'floe.db.key')
  const secrets = openKeyFile(keyFile)
  await applyDeclaredReceivers(db, { org: 'acme', repoId }, [webhook('hook', { url: 'https://nowhere.invalid/' })], {
    secrets,
    now,
  })
  t.strictSame((await check()).of('receiver'), [], 'one that only an earlier configuration declared is not')
  await db.updateTable('receivers').set({ is_declared: 0 }).execute()
  const { of } = await check()
  t.match(of('database'), [{ ok: true, detail: 'is up to date' }])
  t.match(of('secrets'), [{ ok: true, detail: 'the secrets of 1 can be decrypted' }])
  t.match(of('receiver'), [{ name: 'acme/weather hook', ok: false, detail: 'nowhere.invalid cannot be found' }])

  const setState = (state: object) => db.updateTable('receivers').set(state).execute()
  const lastFailure = JSON.stringify({ status: 500, error: 'answered 500' })
  await setState({ failing_since: now.getTime(), last_failure: lastFailure })
  const failing = `has failed since ${now.toISOString()}: answered 500`
  t.match((await check()).of('receiver'), [{ name: 'acme/weather hook', ok: false, detail: failing }, { ok: false }])
  await setState({ is_enabled: 0, disabled_reason: 'refused 12 times' })
  t.match((await check()).of('receiver'), [{ ok: false, detail: 'is disabled: refused 12 times' }, { ok: false }])
  await setState({ disabled_reason: 'disabled by an administrator' })
  t.match((await check()).of('receiver'), [{ ok: true, detail: 'is disabled by an administrator' }, { ok: false }])

  await rm(keyFile)
  t.match((await check()).of('secrets'), [{ ok: false, detail: /floe.db.key is missing/ }])
  openKeyFile(keyFile)
  t.match((await check()).of('secrets'), [{ ok: false, detail: /is sealed with the key/ }])

  await sql`delete from floe_migrations where name = '0001-tables'`.execute(db)
  t.match((await check()).of('database'), [{ ok: true, detail: 'the next start applies 0001-tables' }])
  await sql`insert into floe_migrations (name, applied_at) values ('9999-teleport', '2030-01-01')`.execute(db)
  t.match((await check()).of('database'), [{ ok: false, detail: /is newer than this program: .*9999-teleport/ }])
  await db.destroy()
})

t.test('an expectation that could not be judged fails, with the reason', async (t) => {
  const { database, check } = await prepare(t)
  const db = await openDatabase(database)
  const repo_id = await rememberRepository(db, 'acme', 'weather', new Date())
  const judged = async (alias: string, state: object) => {
    const added = { ...fresh, alias, repos: ['weather'] }
    const { expectation } = await addExpectation(db, { org: 'acme' }, added, optionsAt(0))
    const row = { expectation_id: expectation.id, repo_id, branch: 'main', judged_version: 1, head_id: 'A', ...state }
    await db.insertInto('expectation_states').values(row).execute()
  }
  await judged('known', { verdict: 'met', facts: '{}' })
  await judged('old', { verdict: 'met', facts: '{}', reason: 'No commit that was searched changed it' })
  await judged('typo', { reason: 'No array has a path that matches surfac/**' })
  const { ok, of } = await check()
  t.notOk(ok)
  t.strictSame(
    of('expectation').filter(({ isNote }) => isNote !== true),
    [
      {
        kind: 'expectation',
        name: 'acme/weather branch main: freshness old',
        ok: true,
        detail: 'No commit that was searched changed it',
      },
      {
        kind: 'expectation',
        name: 'acme/weather branch main: freshness typo',
        ok: false,
        detail: 'No array has a path that matches surfac/**',
      },
    ],
  )
  await db.destroy()
})

t.test(
  'an expectation of which nobody is told is noted, also before the first start, and chats without links',
  async (t) => {
    const chat = { ...hook('team', 'https://hooks.slack.com/services/x'), events: ['ExpectationUnmet'] as const }
    const expectations = [
      { org: 'acme', repo: 'weather', kind: 'freshness', maxAge: '6h', alias: 'told' },
      { org: 'acme', repo: 'weather', kind: 'freshness', maxAge: '6h', branch: 'dev', alias: 'other branch' },
      { org: 'acme', repo: 'sea-*', kind: 'freshness', maxAge: '6h', alias: 'other repositories' },
    ] as const
    const { folder, file, database, check } = await prepare(t, { expectations: [...expectations] })
    const listNotes = async () => (await check()).findings.filter(({ isNote }) => isNote).map(({ name }) => name)
    t.strictSame(await listNotes(), [
      'acme/weather branch main: freshness told',
      'acme/weather branch dev: freshness other branch',
      'acme/sea-* branch main: freshness other repositories',
    ])
    await writeConfig(folder, {
      expectations: [...expectations],
      notifications: { chats: [{ ...chat, events: [...chat.events] }] },
    })
    t.strictSame(await listNotes(), [
      'baseUrl',
      'acme/weather branch dev: freshness other branch',
      'acme/sea-* branch main: freshness other repositories',
    ])
    t.match(await run('--config', file), {
      out: /\nnote {4}configuration baseUrl: is not set, so messages in chats have no link/,
    })
    const db = await openDatabase(database)
    await addExpectation(
      db,
      { org: 'acme' },
      { ...fresh, alias: 'recorded', kind: 'written', repos: ['weather'] },
      optionsAt(0),
    )
    t.notOk(
      (await listNotes()).some((name) => name.endsWith('recorded')),
      'the chat selects all kinds',
    )
    await writeConfig(folder, {
      baseUrl: 'https://floe.example.org/v1',
      notifications: { chats: [{ ...chat, events: ['NewCommit'] }] },
    })
    t.strictSame(await listNotes(), ['acme/weather branch main: written chunks recorded'])
    await db.destroy()
  },
)

t.test('what names nothing that exists fails, with the name that may be meant', async (t) => {
  const { folder, file, check } = await prepare(t)
  t.ok((await check()).ok)
  await writeConfig(folder, {
    orgs: { acme: { repositories: [{ scan: join(folder, 'repositories') }, { scan: fixtures + 'empty' }] }, acne: {} },
    notifications: { chats: [{ ...hook('a', 'https://hooks.slack.com/services/x'), repo: 'wether' }] },
  })
  const { of } = await check()
  t.match(
    of('configuration').filter(({ ok }) => !ok),
    [
      { name: 'orgs.acme.repositories', detail: /there is no repository directly below .*\/empty$/ },
      { name: 'orgs.acne', detail: /it has no repositories; did you mean acme\?$/ },
      { name: 'notifications.chats.0.repo', detail: 'acme has no repository called wether; did you mean weather?' },
    ],
  )
  const misspelt = await runHere(['check', '--config', file], { FLOE_LOG_LEVL: 'info' })
  t.match(misspelt, { code: 1, out: /\nFAILED {2}configuration FLOE_LOG_LEVL: .*; did you mean FLOE_LOG_LEVEL\?\n/ })
})

t.test('a configuration that cannot be used is the only finding', async (t) => {
  const { file, check } = await prepare(t, { notifications: { pollInterval: '1ms' } })
  t.match(await check(), {
    ok: false,
    findings: [{ kind: 'configuration', name: file, detail: /notifications.pollInterval: must be at least 1s/ }],
  })
  const postgres = ['--database', 'postgres://127.0.0.1:1/floe']
  t.match(await run(join(fixtures, 'weather'), '--org', 'acme', '--deployment', 'tiles', ...postgres), {
    code: 1,
    out: /^FAILED {2}configuration .*FLOE_ENCRYPTION_KEY\) is needed/,
  })
  t.match(await run(), { code: 2, err: /give --org and --deployment/ })
})
