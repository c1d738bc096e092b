// docs/using/recipes.md and the pages for clouds say what is true: bodies fit the contract, messages are accepted, and
// programs do what they say.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { ReceiverCreation, ReceiverToTest } from '@floe/contract'
import { t, type Test } from 'tap'
import { signHeaders, signingSecret } from '../../client/receiver/sign-headers.ts'
import { notification } from '../../contract/notifications.ts'
import { findPython } from '../../find-python.ts'
import { startServer } from '../../server/start-server.ts'

const page = await readFile(new URL('../../../docs/using/recipes.md', import.meta.url), 'utf8')

/** The code blocks of a language below a heading, up to the next heading. */
function blocks(language: string, heading: string): string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [text = ''] = section.split(/^## /m)
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code)
}

async function importProgram(t: Test, heading: string) {
  const [program = ''] = blocks('ts', heading)
  return import(pathToFileURL(join(t.testdir({ 'program.ts': program }), 'program.ts')).href)
}

function send(receive: (request: Request) => Promise<Response>, body: unknown, headers: Record<string, string> = {}) {
  const text = JSON.stringify(body)
  const init = { method: 'POST', headers: { ...signHeaders(text), ...headers }, body: text }
  return receive(new Request('https://example.org/floe', init))
}

t.test('the bodies for Slack fit the contract', async (t) => {
  const [commands = ''] = blocks('sh', 'Slack in five minutes')
  const url = 'https://hooks.slack.com/services/T0000/B0000/XXXX'
  const bodies = [...commands.matchAll(/ -d "(.*)"$/gm)].map(([, text = '']) =>
    JSON.parse(text.replaceAll('\\"', '"').replace('$slack', url)),
  )
  t.equal(bodies.length, 2)
  t.ok(ReceiverToTest.safeParse(bodies[0]).success)
  t.ok(ReceiverCreation.safeParse(bodies[1]).success)
})

t.test('the dispatcher starts workflows, not for tests, and is repeated when GitHub fails', async (t) => {
  const { makeDispatcher } = await importProgram(t, 'A GitHub Action on each commit')
  const bodies: unknown[] = []
  let status = 204
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    bodies.push(await json(request))
    response.writeHead(status).end()
  }
  const github = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(github, 'listening')
  t.teardown(() => github.close())
  const { port } = github.address() as AddressInfo // a server that listens on a port
  const receive = makeDispatcher({
    signingSecret,
    githubToken: 'token',
    dispatches: `http://127.0.0.1:${port}/dispatches`,
  })
  t.equal((await send(receive, notification, { 'webhook-test': 'true' })).status, 204)
  t.strictSame(bodies, [])
  t.equal((await send(receive, notification)).status, 204)
  const { repo_name, snapshot_id } = notification.details
  t.strictSame(bodies, [{ event_type: 'icechunk-commit', client_payload: { id: 'msg_1', repo_name, snapshot_id } }])
  status = 503
  t.capture(console, 'error')
  t.equal((await send(receive, notification)).status, 500)
})

t.test('the invalidator drops what changed, and everything if the list is missing or cut', async (t) => {
  const { makeInvalidator } = await importProgram(t, 'Invalidate a cache without cron')
  const dropped: string[] = []
  const receive = makeInvalidator(signingSecret, async (repo: string, path: string) => dropped.push(`${repo}:${path}`))
  const tell = async (changes: unknown) => {
    dropped.length = 0
    const { status } = await send(receive, { ...notification, details: { ...notification.details, changes } })
    t.equal(status, 204)
    return [...dropped]
  }
  const counts = { created: 0, deleted: 0, updated: 1, moved: 1 }
  const changes = { created: [], deleted: [], updated: ['wind/speed'], moved: [{ from: 'a', to: 'b' }], counts }
  t.strictSame(await tell(changes), ['weather:wind/speed', 'weather:a', 'weather:b'])
  t.strictSame(await tell({ ...changes, counts: { ...counts, updated: 60 } }), ['weather:'])
  t.strictSame(await tell(null), ['weather:'])
})

const python = findPython('json')
t.test('the sensor lists the commits after the one that was seen', { skip: python.skip }, async (t) => {
  const [program = ''] = blocks('python', 'An Airflow sensor')
  const server = await startServer(t)
  const history = await (await fetch(`${server.publicMeta}/history/weather/main`)).json()
  const ids = history.commits.map((commit: { snapshot_id: string }) => commit.snapshot_id)
  const call = `\nprint(json.dumps([list_new_commits("weather", None), list_new_commits("weather", "${ids[2]}"), list_new_commits("weather", "${ids[0]}")]))`
  const env = { ...process.env, FLOE_META: server.publicMeta, FLOE_API_KEY: 'unused' }
  const { stdout } = await promisify(execFile)(python.command, ['-c', program + call], { env })
  t.strictSame(JSON.parse(stdout), [[ids[0]], [ids[0], ids[1]], []])
})
