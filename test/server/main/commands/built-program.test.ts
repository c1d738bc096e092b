// The program that `npx floe` runs: built, without the sources.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { t, type Test } from 'tap'
import { basic, fixtures } from '../../start-server.ts'
import { askService } from '../ask-service.ts'

const floe = fileURLToPath(new URL('../../../../server/bin/floe.js', import.meta.url))

const run = async (cwd: string, ...args: string[]) => {
  const { stdout } = await promisify(execFile)(process.execPath, [floe, ...args], { cwd, env: {} })
  return stdout
}

/** Serves the fixtures in a private deployment. */
async function serve(t: Test, cwd: string): Promise<{ readonly origin: string; readonly child: ChildProcess }> {
  const args = ['serve', fixtures, '--org', 'acme', '--deployment', 'tiles', '--port', '0']
  const child = spawn(process.execPath, [floe, ...args], { cwd, env: {}, stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  return { origin: String(line).trim().slice('listening on '.length), child }
}

t.test('the built program serves answers, pages and all that pages load', async (t) => {
  const cwd = t.testdir()
  const key = (await run(cwd, 'keys', 'create', '--org', 'acme', '--role', 'admin')).trim()
  const { origin, child } = await serve(t, cwd)
  const get = (path: string, accept = '*/*') =>
    askService(`${origin}${path}`, { headers: { authorization: basic('acme', key), accept } })
  const meta = '/v1/services/tiles/acme/_meta'

  const info = await get(`${meta}/datasets/weather/main/forecast/info`)
  t.equal(info.status, 200)
  t.match(await info.json(), { dimensions: {} }, 'a reader thread answers')
  const settings = '/v1/orgs/acme/repos/weather/settings'
  const dataset = `${meta}/datasets/weather/main/forecast/`
  for (const page of [`${meta}/`, dataset, `${meta}/docs`, `${meta}/redoc`, settings]) {
    const response = await get(page, 'text/html')
    t.equal(response.status, 200, page)
    const links = [...(await response.text()).matchAll(/<(?:script|link)\b[^>]* (?:src|href)="([^"]+\.(?:js|css))"/g)]
    t.ok(links.length > 0, `${page} loads files`)
    for (const [, link = ''] of links) {
      const { pathname } = new URL(link, response.url)
      t.equal((await get(pathname)).status, 200, pathname)
    }
  }
  const document = await get(`${meta}/openapi.json`)
  t.match(await document.json(), { openapi: '3.1.0', servers: [{ url: origin }] })

  const closed = once(child, 'close')
  child.kill('SIGTERM')
  t.strictSame(await closed, [0, null], 'it stops cleanly')
})

t.test('shell scripts can cut the columns of the list of keys', async (t) => {
  const cwd = t.testdir()
  const key = await run(cwd, 'keys', 'create', '--org', 'acme', '--role', 'reader', '--name', 'nightly export')
  const list = promisify(execFile)('sh', ['-c', '"$0" "$1" keys list --org acme | cut -f1,2', process.execPath, floe], {
    cwd,
    env: { PATH: process.env['PATH'] },
  })
  t.equal((await list).stdout, `${key.slice(5, 21)}\tnightly export\n`)
})

t.test('every package manager can start the program, also pnpm and those of systems whose env has no -S', async (t) => {
  const [firstLine] = (await readFile(floe, 'utf8')).split('\n')
  t.equal(firstLine, '#!/usr/bin/env node')
})

t.test('a Node.js that is too old is named, instead of failing within a library', async (t) => {
  const start = (version: string) => {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`
    const versions = `Object.defineProperty(process, 'versions', { value: { ...process.versions } }); ${pretend}`
    return promisify(execFile)(process.execPath, [`--import=data:text/javascript,${versions}`, floe, '--version'])
  }
  for (const version of ['20.20.2', '22.18.0']) {
    await t.rejects(start(version), {
      code: 1,
      stderr: `floe: Node.js 22.19 or newer is needed, and this is ${version}\n`,
    })
  }
  for (const version of ['22.19.0', '24.0.0']) await t.resolves(start(version))
})
