// The client and the receiver, as npm packs them, in other runtimes than Node.
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { t, type Test } from 'tap'
import { openBrowser, openPage, withoutBrowser } from '../browser/open-browser.ts'
import { startPlainServer } from '../client/start-plain-server.ts'
import { notification } from '../contract/notifications.ts'
import { installFromNpm, run } from '../generators/install.ts'
import { type RunningServer, startServer } from '../server/start-server.ts'
import { bundleProgram } from './bundle-program.ts'
import { installClient } from './packed-clone.ts'

t.setTimeout(600_000)

const [bun, deno, workerd] = await Promise.all([
  installFromNpm('bun', ['bun@1.4.5']),
  installFromNpm('deno', ['deno@2.9.6']),
  installFromNpm('workerd', ['workerd@1.20261117.1']),
])
const project = await installClient(t)

/** Reads from a service, and receives a notification. */
const program = `
import { createClient } from '@floe/client'
import { createReceiver } from '@floe/client/receiver'

const names = { repo: 'weather', ref: 'main', group: 'wind/speed' }

export async function tryClient(origin, apiKey) {
  const floe = createClient({ baseUrl: origin + '/v1', deployment: 'tiles', org: 'acme', apiKey, retries: 0 })
  const first = await floe.versioned.keys(names)
  const again = await floe.versioned.keys(names, { ifNoneMatch: first.etag })
  const missing = await floe.refs({ repo: 'nope' }).catch((error) => error.problem.type)
  const late = await floe.info(names, { signal: AbortSignal.abort(new Error('changed my mind')) }).catch(String)
  const events = floe.events({ after: '9' }, { signal: AbortSignal.timeout(120_000) })
  const gone = await events.next().catch(({ problem, message }) => problem?.type ?? message)
  let attempts = 0
  const countingFetch = (...call) => (attempts++, fetch(...call))
  const nowhere = { baseUrl: 'http://127.0.0.1:2/v1', deployment: 'tiles', org: 'acme', fetch: countingFetch, retries: 1 }
  const refused = await createClient(nowhere).repositories().catch(({ name }) => name)
  return { value: first.value, isModified: again.isModified, missing, late, gone, refused, attempts }
}

export async function tryReceiver(body) {
  const received = []
  const receive = createReceiver({ secretToken: 'secret', onNewCommit: ({ repo_name }) => void received.push(repo_name) })
  const headers = {
    'content-type': 'application/json', 'x-secret-token': 'secret',
    'webhook-id': 'a', 'webhook-attempt': '1', 'webhook-sequence': '1',
  }
  const send = (headers) => receive(new Request('http://localhost/', { method: 'POST', headers, body }))
  const good = await send(headers)
  const forged = await send({ ...headers, 'x-secret-token': 'guess' })
  return { received, good: good.status, forged: forged.status }
}
`

// The programs in their packages, because the scripts that would link them to others are not run.
const { platform, arch } = process
const bunProgram = join(bun.root, `node_modules/@oven/bun-${platform}-${arch}/bin/bun`)
const denoProgram = join(
  deno.root,
  `node_modules/@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}/deno`,
)
const workerdProgram = join(
  workerd.root,
  `node_modules/@cloudflare/workerd-${platform}-${arch === 'x64' ? '64' : arch}/bin/workerd`,
)

const body = JSON.stringify(notification)

async function checkResult(t: Test, server: RunningServer, printed: string): Promise<void> {
  t.strictSame(JSON.parse(printed), {
    client: {
      value: await (await server.get('datasets/weather/main/wind/speed/keys')).json(),
      isModified: false,
      missing: '/problems/repository-not-found',
      late: 'Error: changed my mind',
      gone: '/problems/events-gone',
      refused: 'NetworkError',
      attempts: 2,
    },
    receiver: { received: ['weather'], good: 204, forged: 401 },
  })
}

/**
 * Writes a program for a runtime that needs no bundler.
 *
 * @param commandLine - expression that gives the arguments of the program in this runtime
 */
async function writeProgram(commandLine: string): Promise<string> {
  const file = join(project, 'main.js')
  const main = `${program}
    const [origin, key, body] = ${commandLine}
    console.log(JSON.stringify({ client: await tryClient(origin, key), receiver: await tryReceiver(body) }))`
  await writeFile(file, main)
  return file
}

t.test('Bun runs the client and the receiver', { skip: bun.skip }, async (t) => {
  const server = await startServer(t)
  const file = await writeProgram('process.argv.slice(2)')
  const { stdout } = await run(bunProgram, [file, server.origin, server.apiKey, body], project)
  await checkResult(t, server, stdout)
})

t.test('Deno runs the client and the receiver', { skip: deno.skip }, async (t) => {
  const server = await startServer(t)
  const file = await writeProgram('Deno.args')
  const rights = ['--allow-net=127.0.0.1', '--no-remote']
  const { stdout } = await run(denoProgram, ['run', ...rights, file, server.origin, server.apiKey, body], project)
  await checkResult(t, server, stdout)
})

const config = `
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "worker.js")],
      compatibilityDate = "2026-01-01",
    )),
    (name = "internet", network = (allow = ["local", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`

/** Starts the runtime of Cloudflare Workers, and returns its address. */
async function startWorker(t: Test, worker: string): Promise<string> {
  const directory = t.testdir({ 'config.capnp': config, 'worker.js': worker })
  const args = ['serve', join(directory, 'config.capnp'), '--control-fd=3']
  const child = spawn(workerdProgram, args, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  const control = child.stdio[3]
  if (!control || !('setEncoding' in control)) throw new TypeError('workerd has no control channel')
  for await (const line of control.setEncoding('utf8')) {
    const { port }: { port?: number } = JSON.parse(String(line).split('\n', 1)[0] ?? '')
    if (port !== undefined) return `http://127.0.0.1:${port}`
  }
  throw new Error('workerd has ended')
}

t.test('the runtime of Cloudflare Workers runs the client and the receiver', { skip: workerd.skip }, async (t) => {
  const server = await startServer(t)
  const worker = await bundleProgram(
    project,
    `${program}
    export default {
      async fetch(request) {
        const { origin, key, body } = await request.json()
        return Response.json({ client: await tryClient(origin, key), receiver: await tryReceiver(body) })
      },
    }`,
  )
  const origin = await startWorker(t, worker)
  const asked = JSON.stringify({ origin: server.origin, key: server.apiKey, body })
  const answer = await fetch(origin, { method: 'POST', body: asked })
  t.equal(answer.status, 200)
  await checkResult(t, server, await answer.text())
})

t.test('Chromium runs the client and the receiver', { skip: withoutBrowser }, async (t) => {
  const script = await bundleProgram(project, `${program}\nObject.assign(globalThis, { tryClient, tryReceiver })`)
  const origin = await startPlainServer(t, (request, response) => {
    if (request.url === '/program.js') response.setHeader('content-type', 'text/javascript').end(script)
    // Without eval, as a careful page.
    else {
      const policy = "default-src 'none'; script-src 'self'; connect-src *"
      response.setHeader('content-type', 'text/html').setHeader('content-security-policy', policy)
      response.end('<!doctype html><script type="module" src="/program.js"></script>')
    }
  })
  const server = await startServer(t, { corsOrigins: [origin] })
  const { page, faults } = await openPage(await openBrowser(t))
  await page.goto(origin)
  await page.waitForFunction('globalThis.tryReceiver')
  const call = (name: string, ...args: string[]) => page.evaluate(`${name}(...${JSON.stringify(args)})`)
  const result = {
    client: await call('tryClient', server.origin, server.apiKey),
    receiver: await call('tryReceiver', body),
  }
  await checkResult(t, server, JSON.stringify(result))
  // The browser reports the 404, the 410 and the refused connections that were asked for.
  t.strictSame(
    faults.filter((fault) => !/status of (404|410)|ERR_CONNECTION_REFUSED/.test(fault)),
    [],
  )
})
