import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Gaps } from '@floe/contract'
import { t } from 'tap'
import { generatedDocuments, openApiDocument } from '../../../../scripts/generate.ts'
import { commands } from '../../../../server/main/commands/commands.ts'
import manifest from '../../../../server/package.json' with { type: 'json' }
import { startLoopback } from '../../../storage/repositories/objects/loopback-server.ts'
import { type ServedObjects, serveFiles } from '../../../storage/repositories/objects/stores/serve-objects.ts'
import { basic, fixtures } from '../../start-server.ts'
import { askService } from '../ask-service.ts'
import { program, runFloe, serve } from './floe-process.ts'
import { runHere } from './run-here.ts'

const serveFixtures = ['serve', fixtures, '--org', 'a', '--deployment', 'd', '--database', 'sqlite::memory:']

t.test('keys work before the first start, and the server takes them', async (t) => {
  const cwd = t.testdir()
  const run = (...args: string[]) => runFloe(t, cwd, ...args)
  const created = await run('keys', 'create', '--org', 'acme', '--role', 'reader')
  t.match(created, { code: 0, out: /^floe_[0-9a-f]{16}_[\w-]{43}\n$/, err: '' })
  const key = created.out.trim()
  const listed = await run('keys', 'list', '--org', 'acme')
  t.match(listed.out, key.slice(5, 21))
  t.notMatch(listed.out, key.slice(22), 'no secret is listed')

  const flags = ['--org', 'acme', '--deployment', 'tiles', '--port', '0']
  const { origin, child, ended } = await serve(t, cwd, fixtures, ...flags)
  t.match(origin, /^http:\/\/127\.0\.0\.1:\d+$/)
  const address = `${origin}/v1/services/tiles/acme/_meta/discovery`
  const headers = { authorization: basic('acme', key) }
  t.equal((await askService(address)).status, 401)
  t.match(await (await askService(address, { headers })).json(), ['empty', 'expired'])

  const revoked = await run('keys', 'revoke', key.slice(5, 21))
  t.equal(revoked.code, 0)
  t.match((await run('keys', 'revoke', key.slice(5, 21))).code, 2, 'twice is told')

  child.kill('SIGTERM')
  t.match(await ended, { code: 0, signal: null, out: `listening on ${origin}\n` }, 'it stops cleanly')
})

t.test('a location that is not there stops the start and leaves nothing behind', async (t) => {
  const database = join(t.testdir(), 'floe.db')
  const args = ['serve', './nowhere', '--org', 'acme', '--deployment', 'tiles', '--database', `sqlite:${database}`]
  t.match(await runHere(args), { code: 1, out: '', err: 'floe: ./nowhere is not a directory\n' })
  t.notOk(existsSync(database))
})

t.test('a port in use is named with its setting', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.teardown(() => taken.close())
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  const result = await runHere([...serveFixtures, '--port', port])
  const why = `port ${port} of 127.0.0.1 cannot be opened: another program listens there`
  t.match(result, { code: 1, out: '', err: `floe: listen.port (FLOE_LISTEN_PORT): ${why}\n` })
})

t.test('a command line that cannot be understood gets the usage', async (t) => {
  for (const line of [
    '',
    'nonsense',
    'toString',
    'serve repos',
    'serve --prot 1',
    'serve repos --org a --deployment d --port many',
    'keys create --org acme --role owner',
    'keys create --org ../acme --role reader',
    'inspect',
    'backup',
    'restore one two',
    'mcp',
    'mcp repos main',
    'openapi more',
    'schema --unknown',
    'schema of-nothing',
    'diff repos',
    'diff repos main',
    'diff repos main dev other',
    'diff repos main dev --fail-on compatible',
    'contract',
  ]) {
    const { code, out, err } = await runHere(line === '' ? [] : line.split(' '))
    t.equal(code, 2, `floe ${line}`)
    t.match(out + err, 'usage:')
  }
})

t.test('a command that is used wrongly shows how to use it, and no other', async (t) => {
  const { out: help } = await runHere(['help', 'keys', 'create'])
  t.match(help, '[--config floe.yaml]')
  t.match(help, '--role reader|checker|admin')
  const { err } = await runHere(['keys', 'create', '--org', 'acme'])
  t.equal(err, `floe: --role must be reader, checker or admin\n${help}`)
})

t.test('a misspelt command gets the names that it may stand for', async (t) => {
  for (const [misspelt, names] of [
    ['bakcup', 'backup'],
    ['sreve', 'serve'],
    ['secret', 'secrets'],
    ['nothing', undefined],
    ['constructor', undefined],
  ] as const) {
    const hint = names === undefined ? '' : `; did you mean ${names}?`
    const { code, err } = await runHere([misspelt])
    t.equal(code, 2)
    t.equal(err.split('\n', 1)[0], `floe: there is no command ${misspelt}${hint}`)
  }
})

t.test('a flag may stand before the second word of a command', async (t) => {
  const environment = { FLOE_DATABASE: `sqlite:${join(t.testdir(), 'floe.db')}` }
  t.match(await runHere(['keys', '--org', 'acme', 'list', '--json'], environment), { code: 0, out: '[]\n' })
})

t.test('a value that looks like several gets a warning, wherever a flag can be repeated', async (t) => {
  const database = `sqlite:${join(t.testdir(), 'floe.db')}`
  const key = 'keys create --org acme --role reader --repo'.split(' ')
  for (const [flag, line] of [
    ['repo', [...key, 'a,b']],
    ['ref', ['types', join(fixtures, 'weather'), '--ref', 'a,b']],
    ['branches', ['listen', '--branches', 'a,b']],
    ['events', ['listen', '--events', 'a,b']],
  ] as const) {
    const { err } = await runHere(line, { FLOE_DATABASE: database })
    t.match(err, `floe: warning: --${flag} a,b is one value; repeat --${flag} for several\n`)
  }
  t.match(await runHere([...key, 'a', '--repo', 'b'], { FLOE_DATABASE: database }), { code: 0, err: '' })
})

// Proves: a command that is asked to stop says that it was not done
t.test('a command that is asked to stop says that it was not done', async (t) => {
  const repository = join(fixtures, 'weather')
  const environment = { FLOE_DATABASE: `sqlite:${join(t.testdir(), 'floe.db')}` }
  for (const command of [
    ['inspect', repository],
    ['types', repository],
    ['mcp', repository],
    ['check', repository, '--org', 'a', '--deployment', 'd'],
  ]) {
    const result = await runHere(command, environment, AbortSignal.abort())
    t.strictSame(result, { code: 1, out: '', err: 'floe: stopped before it was done\n' }, String(command[0]))
  }
})

t.test('the version is that of the package', async (t) => {
  t.match(await runHere(['--version']), { code: 0, out: `${manifest.version}\n`, err: '' })
})

t.test('a host that cannot be found is named', async (t) => {
  // Longer than a name may be, so that no name server is asked.
  const host = 'x'.repeat(64)
  const result = await runHere([...serveFixtures, '--host', host])
  t.match(result, { code: 1, out: '', err: `floe: listen.host: the host ${host} cannot be found\n` })
})

t.test('help about a command is its own part of the whole', async (t) => {
  const whole = await runHere(['help'])
  t.match(whole, { code: 0, out: /^usage:\n/, err: '' })
  t.strictSame(await runHere(['--help']), whole)
  const listUses = (text: string) => text.split('\n').filter((line) => /^ {2}(?!--)/.test(line))
  const uses = listUses(whole.out)
  for (const command of [...commands.map(({ name }) => name), 'keys', 'secrets']) {
    const words = command.split(' ')
    const help = await runHere([...words, '--help'])
    t.match(help, { code: 0, err: '' }, command)
    t.strictSame(await runHere(['help', ...words]), help, command)
    const shown = listUses(help.out)
    t.ok(shown.length > 0 && shown.length < uses.length && shown.every((line) => uses.includes(line)), command)
    const used = shown.filter((line) => line.startsWith('  floe'))
    t.ok(
      used.every((line) => line.startsWith(`  floe ${command}`)),
      command,
    )
    t.equal(
      help.out.includes('LOCATION is'),
      ['serve', 'check', 'inspect', 'diff', 'contract', 'types', 'export', 'mcp'].includes(command),
      command,
    )
  }
})

t.test('help about a command explains each of its flags in a line', async (t) => {
  for (const { name, needs = [], takes = [] } of commands) {
    const { out } = await runHere([...name.split(' '), '--help'])
    const explained = out.split('\n').filter((line) => /^ {2}--/.test(line))
    t.strictSame(
      explained.map((line) => /^ {2}--(\S+)(?: \S+)? {2,}\S.{0,75}$/.exec(line)?.[1]),
      [...needs, ...takes],
      name,
    )
  }
})

t.test('help shows what a command needs, and what a flag means in it', async (t) => {
  const show = async (command: string) => (await runHere([...command.split(' '), '--help'])).out
  t.match(await show('serve'), ' serve [LOCATION...] [--org ORG] [--deployment NAME] ', 'a configuration has both')
  t.match(
    await show('listen'),
    / listen --org ORG --deployment NAME --to URL \[--repo REPO\] \[--branches PATTERN\]\.\.\./,
  )
  t.match(await show('keys create'), / {2}--repo REPO +name of a repository that the key is limited to; default: all\n/)
  t.match(await show('keys'), / {2}--repo REPO +name of a repository that the key is limited to; default: all\n/)
  t.match(await show('search reindex'), / {2}--repo REPO +name of a repository; default: all\n/)
  t.match(await show('types'), / {2}--repo REPO +name of a repository, or a pattern; default: all\n/)
})

t.test('help is given whatever else the line says', async (t) => {
  const create = await runHere(['keys', 'create', '--help'])
  t.strictSame(await runHere(['keys', 'create', '--org', 'acme', '--help', '--role', 'owner']), create)
  t.strictSame(await runHere(['serve', '/nowhere', '--help']), await runHere(['help', 'serve']))
  for (const args of [
    ['nonsense', '--help'],
    ['help', 'nonsense'],
  ]) {
    t.match(await runHere(args), { code: 2, out: '', err: /no command nonsense\nusage:/ })
  }
  t.match(await runHere(['inspect', '--', '--help']), { code: 1, err: /--help/ }, 'behind -- it is a location')
})

t.test('inspect shows refs, tree and schema without a server', async (t) => {
  const whole = await runHere(['inspect', join(fixtures, 'weather')])
  t.match(whole, { code: 0, out: /branch feature\/one -> [0-9A-Z]{20}/ })
  t.match(whole.out, /\n  \/\n    forecast\/\n/)
  t.match(whole.out, /wind\/\n\s+gust\//)
  const group = await runHere(['inspect', join(fixtures, 'weather'), 'main', '--group', 'wind/speed'])
  t.match(group.out, /Data variables:\n {4}wind_speed \(/)
  const json: unknown = JSON.parse((await runHere(['inspect', '--json', join(fixtures, 'weather')])).out)
  t.match(json, {
    snapshot: {
      nodes: [{ kind: 'group' }, { kind: 'group' }, { path: 'forecast/crs', chunks: { written: 0, total: 1 } }],
    },
  })
  t.match(whole.out, /\n {6}crs {2}\(0 of 1 written\)\n {6}height\n/)
  const forecast = await runHere(['inspect', join(fixtures, 'weather'), 'main', '--group', 'forecast'])
  t.match(forecast.out, '\n    crs () int32  (0 of 1 written)\n    latitude_bounds (latitude, edge) float64\n')
  t.match(await runHere(['inspect', join(fixtures, 'weather'), 'v1.0@2099-01-01']), {
    code: 0,
    out: /tag v1\.0 -> (\w{20})\n[^]*\ntag v1\.0@2099-01-01 at \1, /,
  })
  t.match(await runHere(['inspect', join(fixtures, 'weather'), 'main@2000-01-01']), { code: 1, err: /no snapshot of/ })
  t.match(await runHere(['inspect', join(fixtures, 'weather'), 'nope']), { code: 1, err: /"nope"/ })
  t.match(await runHere(['inspect', t.testdir()]), { code: 1, err: /not an Icechunk repository/ })
})

t.test('inspect says that only a service knows which heads are good', async (t) => {
  const { code, err } = await runHere(['inspect', join(fixtures, 'weather'), 'main@good'])
  t.equal(code, 1)
  t.match(err, /called "main@good", and only a service knows which heads are good/)
})

t.test('inspect --gaps shows which chunks are not written, one array a line', async (t) => {
  const repository = join(fixtures, '../manifests/v2')
  const { code, out } = await runHere(['inspect', repository, '--gaps'])
  t.equal(code, 0)
  const lines = out.trimEnd().split('\n')
  t.equal(lines[0], '# written, : some chunks missing, . all chunks missing')
  t.ok(
    lines.includes('split   [#.#######..:] 3 gaps along dim_0: 1 (0 of 4 chunks), 9 to 10 (0 of 4 each), 11 (2 of 4)'),
  )
  t.ok(lines.includes('empty   [  ] nothing written yet'))
  t.ok(lines.includes('scalar  written'))
  const gaps = Gaps.parse(JSON.parse((await runHere(['inspect', repository, '--gaps', '--json'])).out))
  t.strictSame(
    lines.slice(1).map((line) => line.split(' ', 1)[0]),
    gaps.arrays.map(({ path }) => path),
  )
  const group = await runHere(['inspect', join(fixtures, 'weather'), 'main', '--gaps', '--group', '/wind/gust/'])
  t.ok(
    group.out
      .split('\n')
      .slice(1, -1)
      .every((line) => line.startsWith('wind/gust/')),
    group.out,
  )
  t.match(await runHere(['inspect', repository, '--gaps', '--group', 'none']), { code: 1, err: /none/ })
})

t.test('inspect --gaps says which manifests cannot be read', async (t) => {
  const copy = join(t.testdir(), 'v2')
  await cp(join(fixtures, '../manifests/v2'), copy, { recursive: true })
  for (const name of await readdir(join(copy, 'manifests'))) await rm(join(copy, 'manifests', name))
  const { code, out } = await runHere(['inspect', copy, '--gaps'])
  t.equal(code, 0)
  t.match(out, /\nsplit {3}unknown: a manifest is missing\n/)
  t.match(out, /\nnative {2}\[\.\.########  \] /, 'the snapshot says that this one is full')
  const other = join(t.testdir(), 'v2')
  await cp(join(fixtures, '../manifests/v2'), other, { recursive: true })
  for (const name of await readdir(join(other, 'manifests'))) await writeFile(join(other, 'manifests', name), 'x')
  t.match((await runHere(['inspect', other, '--gaps'])).out, /\nsplit {3}unknown: a manifest is damaged\n/)
})

t.test('inspect lists the repositories of a place that holds some', async (t) => {
  const names = ['satellite', 'weather', 'weather-v1']
  const folder = t.testdir({ other: {} })
  for (const name of names) await cp(join(fixtures, name), join(folder, name), { recursive: true })
  t.strictSame(await runHere(['inspect', folder]), { code: 0, out: `${names.join('\n')}\n`, err: '' })
  const { out } = await runHere(['inspect', folder, '--json'])
  t.strictSame(JSON.parse(out), { repositories: names })
  for (const more of [['dev'], ['--group', 'wind']]) {
    t.match(await runHere(['inspect', folder, ...more]), {
      code: 2,
      err: /is no repository, but holds 3; name one of them/,
    })
  }
})

t.test('limits of a configuration hold for inspect, and its refusals name them', async (t) => {
  const inspect = (...args: string[]) => runHere(['inspect', ...args, '--config', join(directory, 'floe.yaml')])
  const directory = t.testdir({ 'floe.yaml': 'limits: { maxNodes: 2, maxScanned: 1 }' })
  t.match(await inspect(join(fixtures, 'weather')), {
    code: 1,
    err: /has more than 2 nodes; to allow more, raise limits\.maxNodes above 2\n/,
  })
  t.match(await inspect(fixtures), { code: 1, err: /more than 1 .* to allow more, raise limits\.maxScanned\n/ })
})

t.test('access to a location is given by flags, as beside it in a configuration', async (t) => {
  const objects: ServedObjects = new Map()
  for (const file of await readdir(join(fixtures, 'weather'), { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    const path = join(file.parentPath, file.name)
    const content = await readFile(path)
    objects.set(`weather/${relative(join(fixtures, 'weather'), path)}`, { content, generation: 1 })
  }
  const { origin, requests } = await startLoopback(t, serveFiles(objects))
  const access = ['--endpoint', origin, '--region', 'eu-north-1', '--anonymous']
  t.match(await runHere(['inspect', 's3://root/weather', ...access]), { code: 0, out: /^weather \(format version 2\)/ })
  t.ok(requests.length > 0 && requests.every(({ headers }) => headers.authorization === undefined))
  const serve = ['--org', 'a', '--deployment', 'd', '--database', 'sqlite::memory:']
  const { out } = await runHere(['check', 's3://root/weather', ...serve, ...access])
  t.match(out, /\nok {6}repository a\/weather: format version 2/)
  t.match(await runHere(['serve', ...serve, '--region', 'eu-north-1']), {
    code: 2,
    err: /^floe: --region needs a LOCATION/,
  })
  t.match(await runHere(['inspect', 's3://root/x', '--endpoint', 'minio']), {
    code: 2,
    err: /--endpoint must be an address/,
  })
  t.match(await runHere(['inspect', fixtures, '--region', 'x']), {
    code: 1,
    err: /region is for s3:\/\/ locations only/,
  })
})

t.test('--public opens repositories to other machines only with --yes', async (t) => {
  // Until it is refused or listens.
  const serve = (...flags: string[]) => {
    const args = ['serve', fixtures, '--public', '--database', 'sqlite::memory:', '--port', '0', ...flags]
    const listening = new AbortController()
    return runHere(args, {}, listening.signal, () => listening.abort())
  }
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'floe.example.org', '::ffff:10.0.0.1']) {
    const refusal = /^floe: --public would let everyone .* add --yes if that is meant/
    t.match(await serve('--host', host), { code: 2, out: '', err: refusal }, host)
  }
  for (const host of ['127.0.0.1', '127.1.2.3', 'localhost']) {
    t.match(await serve('--host', host), { code: 0, out: /^listening on / }, host)
  }
  // Not every machine has this address.
  t.match(await serve('--host', '::1'), { err: /^$|^floe: listen\.host .*cannot be opened/ })
  t.match(await serve('--host', '0.0.0.0', '--yes'), { code: 0, out: /^listening on / })
  t.match(await runHere(['serve', '--public']), { code: 2, err: /^floe: --public needs a LOCATION, or --org/ })
})

t.test('scripts read what inspect prints as JSON', async (t) => {
  const inspect = async (...args: string[]) => {
    const { code, out, err } = await runHere(['inspect', ...args, '--json'])
    t.match({ code, err }, { code: 0, err: '' })
    return JSON.parse(out)
  }
  const whole = await inspect(join(fixtures, 'weather'))
  t.match(whole, { name: 'weather', format_version: 2, ref: { kind: 'branch', name: 'main' } })
  t.equal(whole.snapshot.id, whole.branches.main)
  t.match(whole.snapshot.nodes[0], { path: '', kind: 'group' })
  const group = await inspect(join(fixtures, 'weather'), 'main', '--group', 'wind/speed')
  t.match(group, { dimensions: {}, variables: { wind_speed: { dimensions: ['time'] } }, global_attributes: {} })
})

t.test('openapi and schema print what is generated from the contract', async (t) => {
  const openapi = await runHere(['openapi'])
  t.strictSame(JSON.parse(openapi.out), JSON.parse(JSON.stringify(openApiDocument)))
  const schema = await runHere(['schema'])
  t.strictSame(
    JSON.parse(schema.out),
    JSON.parse(JSON.stringify(generatedDocuments['contract/notification.schema.json'])),
  )
  t.strictSame(await runHere(['schema', 'notification']), schema)
  const datasetContract = await runHere(['schema', 'dataset-contract'])
  t.strictSame(
    JSON.parse(datasetContract.out),
    JSON.parse(JSON.stringify(generatedDocuments['contract/dataset-contract.schema.json'])),
  )
})

t.test('output that cannot be written is a failure, and no stack', { skip: !existsSync('/dev/full') }, async (t) => {
  const child = spawn(process.execPath, ['--conditions=@floe/source', program, 'schema'], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  })
  const said = text(child.stderr ?? Readable.from([]))
  t.strictSame(await once(child, 'exit'), [1, null])
  t.match(await said, /^floe: the output cannot be written: ENOSPC.*\n$/)
})
