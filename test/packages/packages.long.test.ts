// The packages as users get them: packed from a clean clone without a build, and installed in an empty folder with
// plain npm.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { t, type Test } from 'tap'
import { installFromNpm, run as runCommand } from '../generators/install.ts'
import { askService } from '../server/main/ask-service.ts'
import { fixtures } from '../server/start-server.ts'
import { makeDirectory, packClone } from './packed-clone.ts'
import { consumers, programs } from './consumers.ts'
import { Editor } from './editor.ts'
import { beforeCompletion, completions } from './typed-consumers.ts'

t.setTimeout(900_000)

/** Node 24 first, as a user of it has it. */
const env = { ...process.env, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) }

/** Runs a command without what tap asks of Node in processes that tests start. */
const run = (command: string, args: readonly string[], cwd = project, variables: NodeJS.ProcessEnv = env) =>
  runCommand('env', ['--unset=NODE_OPTIONS', command, ...args], cwd, variables)

const [tools, node22] = await Promise.all([
  installFromNpm('packages', ['@arethetypeswrong/cli@0.18.5', 'publint@0.3.25', 'typescript@5.9.3']),
  installFromNpm('node-22', [`node-${process.platform}-${process.arch}@22.21.1`]),
])

const packed = await packClone(t)
const project = await makeDirectory(t)
await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
// The project as a user's: the types of Node are theirs, and what some programs of the documents use.
const others = ['@types/node@24.19.2', 'msw@3.0.5', '@tanstack/react-query@5.108.4', '@types/react@19.3.0']
const tarballs = packed.map(({ tarball }) => tarball)
const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
await run('npm', ['install', ...quiet, ...tarballs, ...others])
for (const [name, text] of Object.entries({ ...consumers, ...programs })) await writeFile(join(project, name), text)

t.test('each package has what it needs, and no sources', async (t) => {
  for (const { name, files } of packed) {
    t.ok(
      ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'].every((file) => files.includes(file)),
      name,
    )
    t.strictSame(
      files.filter((file) => /(?<!\.d)\.tsx?$|\.map$|^dist\/compiled\//.test(file)),
      [],
      name,
    )
    t.ok(
      files.some((file) => file.startsWith('dist/')),
      `${name} is built`,
    )
  }
})

t.test("the client's declarations name no other package, and can be read", async (t) => {
  let size = 0
  for (const file of packed.find(({ name }) => name === '@floe/client')?.files ?? []) {
    // This part is for those who have msw.
    if (!file.endsWith('.d.ts') || file === 'dist/testing-msw.d.ts') continue
    const text = await readFile(join(project, 'node_modules/@floe/client', file), 'utf8')
    t.notMatch(text, /(?:from|import\()\s*['"][^.'"]/, file)
    size += text.length
  }
  t.ok(size > 10_000 && size < 350_000, `${size} characters`)
})

t.test("the contract's declarations lost no type, and can be read", async (t) => {
  const text = await readFile(join(project, 'node_modules/@floe/contract/dist/index.d.ts'), 'utf8')
  // The compiler writes this in place of a type that it cannot name.
  t.notMatch(text, /elided/)
  t.ok(text.length > 10_000 && text.length < 1_200_000, `${text.length} characters`)
})

/** What a shell has in which a version of Node comes first. */
const withNode = (node: string) => ({ ...env, PATH: [dirname(node), process.env['PATH']].join(delimiter) })

/** Serves the sample repositories with the installed program, and returns its address. */
async function serve(t: Test, node: string): Promise<string> {
  const command = ['npx', 'floe', 'serve', fixtures, '--org', 'acme', '--deployment', 'tiles', '--port', '0']
  // With a group of its own, because npx does not pass signals on to what it starts.
  const child = spawn('env', ['--unset=NODE_OPTIONS', ...command], {
    cwd: project,
    env: withNode(node),
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  t.teardown(async () => {
    if (child.pid === undefined) return
    const closed = once(child, 'close')
    process.kill(-child.pid, 'SIGTERM')
    await closed
  })
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  return String(line).trim().slice('listening on '.length)
}

const versions = {
  v24: { node: process.execPath, skip: false },
  v22: { node: join(node22.root, `node_modules/node-${process.platform}-${process.arch}/bin/node`), skip: node22.skip },
}

for (const [version, { node, skip }] of Object.entries(versions)) {
  t.test(`with Node ${version}, the program serves and inspects, and the client reads`, { skip }, async (t) => {
    const floe = (...args: string[]) => run('npx', ['floe', ...args], project, withNode(node))
    t.match((await floe('inspect', join(fixtures, 'weather'), 'main')).stdout, /^ +wind\/\n +gust\//m)
    const key = (await floe('keys', 'create', '--org', 'acme', '--role', 'reader')).stdout.trim()
    const origin = await serve(t, node)
    const printed = await run(node, ['read.js', origin, key, join(fixtures, 'weather')])
    t.match(JSON.parse(printed.stdout), {
      version: new RegExp(`^${version}\\.`),
      isListed: true,
      variables: ['wind_speed', 'height', 'latitude', 'lead_time', 'longitude', 'time'],
      problem: '/problems/repository-not-found',
      received: 204,
      path: '/v1/schemas/notification.json',
      schema: 'https://json-schema.org/draft/2020-12/schema',
      main: /^[0-9A-Z]{20}$/,
      keys: 1,
    })
    const authorization = `Basic ${btoa(`acme:${key}`)}`
    for (const name of ['', '/static/swagger-ui.css', '/static/swagger-initializer.js']) {
      const address = `${origin}/v1/services/tiles/acme/_meta/docs${name}`
      t.equal((await askService(address, { headers: { authorization } })).status, 200, address)
    }
  })
}

t.test('strict consumers compile, and the declarations of the packages with them', { skip: tools.skip }, async (t) => {
  const compilers = {
    'TypeScript 5.9': join(tools.root, 'node_modules/.bin/tsc'),
    'TypeScript 7': new URL('../../node_modules/.bin/tsc', import.meta.url).pathname,
  }
  for (const [name, compiler] of Object.entries(compilers)) {
    for (const config of Object.keys(consumers).filter((file) => file.startsWith('tsconfig.'))) {
      // test/docs/programs.test.ts compiles the documents with the other one.
      if (config === 'tsconfig.documents.json' && name !== 'TypeScript 5.9') continue
      await t.resolves(run(process.execPath, [compiler, '-p', config]), `${name}, ${config}`)
    }
  }
})

const oldest = await installFromNpm('typescript-5.4', ['typescript@5.4.5'])

t.test('TypeScript 5.4 compiles a strict consumer without skipLibCheck', { skip: oldest.skip }, async (t) => {
  const program = `
    import { createClient, ProblemResponseError } from '@floe/client'
    export { createReceiver } from '@floe/client/receiver'
    export { createProblem } from '@floe/client/testing'
    export const floe = createClient({ baseUrl: '', deployment: 'tiles', org: 'acme' })
    export const isMissing = (error: ProblemResponseError) => error.is('ref-not-found')
    // @ts-expect-error A misspelt code does not compile.
    export const isMisspelt = (error: ProblemResponseError) => error.is('ref-not-fuond')
  `
  await writeFile(join(project, 'oldest.ts'), program)
  const compiler = join(oldest.root, 'node_modules/.bin/tsc')
  const compilerOptions = { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', types: [] }
  await writeFile(join(project, 'oldest.json'), JSON.stringify({ compilerOptions, files: ['oldest.ts'] }))
  await t.resolves(run(process.execPath, [compiler, '-p', 'oldest.json']))
})

t.test('an editor offers the names of known datasets, and shows short texts', { skip: tools.skip }, async (t) => {
  const editor = await Editor.open(tools.root, project)
  for (const [code, names] of completions) t.strictSame(editor.complete(beforeCompletion + code).sort(), names, code)
  const hover = (name: string) => editor.hover(beforeCompletion.replace(`const ${name} =`, `const |${name} =`))
  t.equal(hover('floe'), 'const floe: TypedClient<Datasets>')
  t.equal(hover('info'), 'const info: TypedInfo<WeatherForecast>')
  t.equal(hover('keys'), 'const keys: TypedKeys<WeatherForecast>')
})

t.test('publint and attw find nothing', { skip: tools.skip }, async (t) => {
  const bin = (name: string, ...args: string[]) =>
    run(process.execPath, [join(tools.root, 'node_modules/.bin', name), ...args])
  for (const { name, tarball } of packed) {
    await t.resolves(bin('publint', '--strict', tarball), `publint ${name}`)
    // A program has no types.
    if (name === '@floe/server') continue
    await t.resolves(bin('attw', tarball, '--profile', 'esm-only', '--no-emoji'), `attw ${name}`)
  }
})
