// The commands in this process, on a database in a file.
import { join } from 'node:path'
import { createApiKey, ensureRepositories, openDatabase } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { basic } from '../../start-server.ts'
import { askService } from '../ask-service.ts'
import { runHere } from './run-here.ts'

type Result = { readonly code: number; readonly out: string; readonly err: string }

/** Runs commands that share a database. */
function openShell(t: Test, files: Parameters<Test['testdir']>[0] = {}) {
  const directory = t.testdir(files)
  const environment = { FLOE_DATABASE: `sqlite:${join(directory, 'floe.db')}` }
  const run = (...args: string[]): Promise<Result> => runHere(args, environment)
  return { directory, environment, run }
}

/** Serves until the function returned is called. */
async function serve(
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<{ readonly origin: string; readonly stop: () => Promise<Result> }> {
  const stop = new AbortController()
  const started = Promise.withResolvers<string>()
  const ended = runHere(['serve', ...args, '--port', '0'], environment, stop.signal, (text) =>
    started.resolve(text.trim().slice('listening on '.length)),
  )
  const origin = await Promise.race([
    started.promise,
    ended.then(({ err }) => {
      throw new Error(err)
    }),
  ])
  return {
    origin,
    stop: () => {
      stop.abort()
      return ended
    },
  }
}

const listKeys = async (origin: string, key: string) =>
  (await askService(`${origin}/v1/orgs/acme/keys`, { headers: { authorization: basic('acme', key) } })).status

t.test('a key expires when it was said, which the list shows', async (t) => {
  const { run } = openShell(t)
  const create = (...more: string[]) => run('keys', 'create', '--org', 'acme', '--role', 'admin', ...more)
  const start = Date.now()
  t.equal((await create('--expires', '30d')).code, 0)
  t.equal((await create('--expires', '2100-01-31T00:00:00+01:00')).code, 0)
  t.equal((await create('--expires', '2100-02-01', '--repo', 'a', '--repo', 'b')).code, 0)
  const { out } = await run('keys', 'list', '--org', 'acme')
  const columns = out.split('\n').map((line) => line.split('\t'))
  const inAMonth = Date.parse(columns[0]?.[5]?.slice('expires '.length) ?? '')
  t.ok(inAMonth >= start + 30 * 86_400_000 && inAMonth <= Date.now() + 30 * 86_400_000)
  t.match(
    columns.map(([, , role, repos, , state, used]) => [role, repos, state, used]),
    [
      ['admin', '*', /^expires /, 'unused'],
      ['admin', '*', 'expires 2100-01-30T23:00:00.000Z', 'unused'],
      ['admin', 'a,b', 'expires 2100-02-01T00:00:00.000Z', 'unused'],
    ],
  )
})

t.test('a key gets a name, which the list shows', async (t) => {
  const { run } = openShell(t)
  const create = (...more: string[]) => run('keys', 'create', '--org', 'acme', '--role', 'reader', ...more)
  t.equal((await create('--name', 'nightly export')).code, 0)
  t.equal((await create()).code, 0)
  const { out } = await run('keys', 'list', '--org', 'acme')
  const names = out
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[1])
  t.strictSame(new Set(names), new Set(['-', 'nightly export']))
  const listed: { readonly name: unknown }[] = JSON.parse((await run('keys', 'list', '--org', 'acme', '--json')).out)
  t.strictSame(new Set(listed.map(({ name }) => name)), new Set([null, 'nightly export']))
  for (const name of ['', 'x'.repeat(65), 'a\tb']) {
    t.match(await create('--name', name), { code: 2, out: '', err: /--name: must/ }, JSON.stringify(name))
  }
})

t.test('scripts read the list as JSON', async (t) => {
  const { run } = openShell(t)
  const list = async () => JSON.parse((await run('keys', 'list', '--org', 'acme', '--json')).out)
  t.strictSame(await list(), [])
  const { out } = await run(...'keys create --org acme --role reader --repo a --expires 2100-02-01'.split(' '))
  const [key] = await list()
  t.match(key, {
    id: out.slice(5, 21),
    role: 'reader',
    repos: ['a'],
    declared: false,
    expires_at: '2100-02-01T00:00:00.000Z',
  })
  t.match(key, { created_by: null, revoked_at: null, last_used_at: null })
  t.notMatch(JSON.stringify(key), out.slice(22).trim())
})

t.test('an expiry that makes no sense gets the usage', async (t) => {
  const { run } = openShell(t)
  for (const expires of ['soon', '30', '2020-01-01', '0s', '9999999d', '999999999d', '2100-02-30', '']) {
    const result = await run('keys', 'create', '--org', 'acme', '--role', 'admin', '--expires', expires)
    t.match(result, { code: 2, out: '', err: /--expires must be/ }, expires)
  }
})

t.test('a key is limited to repositories that an answer of the API can name, and to no more than it can', async (t) => {
  const { run } = openShell(t)
  const repos = Array.from({ length: 101 }, (_, index) => ['--repo', `r${index}`])
  const create = (...flags: string[]) => run('keys', 'create', '--org', 'acme', '--role', 'reader', ...flags)
  t.equal((await create(...repos.slice(1).flat())).code, 0)
  t.match(await create(...repos.flat()), { code: 2, out: '', err: /--repo .* at most 100 times/ })
  const tooLong = 'floe: --repo: must have at most 255 characters'
  t.match(await create('--repo', 'x'.repeat(256)), { code: 2, out: '', err: tooLong })
})

t.test('a key for an organisation that nothing knows is made with a warning', async (t) => {
  const { directory, environment, run } = openShell(t, { 'floe.yaml': 'orgs: { acme: {}, globex: {} }\n' })
  const create = (org: string, ...more: string[]) => run('keys', 'create', '--org', org, '--role', 'reader', ...more)
  const made = { code: 0, out: /^floe_/ }
  t.match(await create('acme'), { ...made, err: '' }, 'before the first start, nothing is known')
  const warning = /^floe: warning: neither the configuration \(--config\) nor the database knows the organisation /
  const withFile = ['--config', join(directory, 'floe.yaml')]
  t.match(await create('globex', ...withFile), { ...made, err: '' })
  t.match(await create('acne', ...withFile), { ...made, err: warning })
  t.match((await create('acne', ...withFile)).err, /acne; did you mean acme\?\n$/)
  const db = await openDatabase(environment.FLOE_DATABASE)
  await ensureRepositories(db, 'initech', ['weather'], new Date())
  await db.destroy()
  t.match(await create('initech'), { ...made, err: '' })
  t.match(await create('intech'), { ...made, err: /did you mean initech\?/ })
  t.match(await create('umbrella'), { ...made, err: '' }, 'a new one may follow')
  t.match(await run('help', 'keys', 'create'), { out: /--config floe\.yaml/ })
})

t.test('a key for a repository that the database does not know is made with a warning', async (t) => {
  const { environment, run } = openShell(t)
  const create = (repo: string) => run(...`keys create --org acme --role checker --repo ${repo}`.split(' '))
  const made = { code: 0, out: /^floe_/ }
  t.match(await create('wether'), { ...made, err: '' }, 'before the first start, nothing is known')
  const db = await openDatabase(environment.FLOE_DATABASE)
  await ensureRepositories(db, 'acme', ['weather'], new Date())
  await db.destroy()
  t.match(await create('weather'), { ...made, err: '' })
  const warning = 'floe: warning: the database knows no repository of acme called '
  t.match(await create('wether'), { ...made, err: `${warning}wether; did you mean weather?\n` })
  t.match(await create('ocean'), { ...made, err: `${warning}ocean\n` })
})

t.test('the first key of a container is valid as long as the service is started with it', async (t) => {
  const { directory, environment, run } = openShell(t, { repos: {} })
  const key = `floe_0123456789abcdef_${'x'.repeat(43)}`
  const command = [join(directory, 'repos'), '--org', 'acme', '--deployment', 'tiles']

  const first = await serve({ ...environment, FLOE_BOOTSTRAP_ADMIN_KEY: key }, ...command)
  t.equal(await listKeys(first.origin, key), 200)
  const refusal = await run('keys', 'revoke', '0123456789abcdef')
  t.match(refusal, { code: 2, err: /is declared in the configuration: remove it there/ })
  const { code, out, err } = await first.stop()
  t.equal(code, 0)
  t.notMatch(out + err, 'xxxx', 'it is not printed')
  t.match(
    (await run('keys', 'list', '--org', 'acme')).out,
    /^0123456789abcdef\tbootstrapAdminKey\tadmin\t\*\t.*\tdeclared\tused /,
  )

  const second = await serve(environment, ...command)
  t.equal(await listKeys(second.origin, key), 401)
  await second.stop()
  t.match((await run('keys', 'list', '--org', 'acme')).out, /\trevoked /)
})

t.test('a revoked key takes the keys that were made with it, unless they are to be kept', async (t) => {
  const { environment, run } = openShell(t)
  const db = await openDatabase(environment.FLOE_DATABASE)
  const ids: string[] = []
  for (let count = 0; count < 3; count++) {
    const grant = { org: 'acme', role: 'admin', repos: null, createdBy: ids.at(-1) ?? null } as const
    ids.push((await createApiKey(db, grant, new Date())).slice(5, 21))
  }
  await db.destroy()
  const [first = '', second = '', third = ''] = ids
  t.match(await run('keys', 'revoke', first, '--keep-descendants'), { code: 0, err: `revoked ${first}\n` })
  t.match(await run('keys', 'revoke', second), { code: 0, err: `revoked ${second}\nrevoked ${third}\n` })
  t.match(await run('keys', 'revoke', second), { code: 2, err: /no valid key has the id/ })
})
