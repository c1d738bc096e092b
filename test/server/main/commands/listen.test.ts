import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createReceiver, toNodeListener } from '@floe/client/receiver'
import { t, type Test } from 'tap'
import { notification } from '../../../contract/notifications.ts'
import { recordEvent } from '../../../client/record-event.ts'
import { secretToken, signingSecret } from '../../../client/receiver/sign-headers.ts'
import { startPlainServer } from '../../../client/start-plain-server.ts'
import { startServer } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'
import { runHere } from './run-here.ts'

const payload = JSON.stringify(notification)
const names = ['--org', 'acme', '--deployment', 'tiles']

/** A receiver on loopback, and the messages of the commits that it got. */
async function startReceiver(t: Test, secrets: { signingSecrets: string[]; secretToken?: string }) {
  const received: string[] = []
  const receive = createReceiver({
    ...secrets,
    onNewCommit: ({ commit_message }, { sequence }) => void received.push(`${sequence} ${commit_message}`),
  })
  return { to: `${await startPlainServer(t, toNodeListener(receive))}/hook`, received }
}

t.test('events are sent to a program, signed, and each has its line', async (t) => {
  const { origin, apiKey, db } = await startServer(t)
  const { to, received } = await startReceiver(t, { signingSecrets: [signingSecret], secretToken })
  const stop = new AbortController()
  const environment = { FLOE_API_KEY: apiKey, FLOE_SIGNING_SECRET: signingSecret, FLOE_SECRET_TOKEN: secretToken }
  const ended = runHere(['listen', '--to', to, '--url', `${origin}/v1`, ...names], environment, stop.signal)
  // A stream begins with the next event, and nobody says when it has begun.
  for (let moves = 0; received.length === 0 && moves < 10_000; moves++) {
    await recordEvent(db, 'weather', `move ${moves}`)
    await nextTurn()
  }
  t.match(received[0], /^1 move \d+$/)
  stop.abort(new Error('stopped'))
  const { code, out, err } = await ended
  t.equal(err, '')
  t.equal(code, 0)
  const [first, ...lines] = out.trimEnd().split('\n')
  t.equal(first, `sending to ${to}, signed with the given secret`, 'nobody needs to read it again')
  for (const line of lines) t.match(line, /^\d+ NewCommit acme\/weather main [0-9A-Z]{20}: 204$/)
})

t.test('a program that refuses or does not answer has its line too, and others follow', async (t) => {
  const event = (id: number) => `id: ${id}\nevent: NewCommit\ndata: ${payload}\n\n`
  const service = await startPlainServer(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(event(1) + event(2) + event(3))
  })
  const stop = new AbortController()
  const requests: (string | undefined)[] = []
  const to = await startPlainServer(t, (request, response) => {
    requests.push(request.headers['webhook-id']?.toString())
    if (requests.length === 1) response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    else if (requests.length === 2) request.socket.destroy()
    else stop.abort(new Error('stopped'))
  })
  const { code, out } = await runHere(
    ['listen', '--to', to, '--url', `${service}/v1`, '--key', 'floe_key', '--secret', signingSecret, ...names],
    {},
    stop.signal,
  )
  t.equal(code, 0)
  t.strictSame(requests, ['listen_1', 'listen_2', 'listen_3'])
  const [, first, second, ...rest] = out.trimEnd().split('\n')
  t.match(first, /: 302$/)
  t.match(second, /: no answer \(.+\)$/)
  t.strictSame(rest, [])
})

t.test('why the events do not come is said, and they are asked for again', async (t) => {
  const stop = new AbortController()
  let requests = 0
  const service = await startPlainServer(t, (_request, response) => {
    if (++requests === 2) stop.abort(new Error('stopped'))
    response.writeHead(503).end()
  })
  const { code, err } = await runHere(
    ['listen', '--to', 'http://127.0.0.1:1/', '--url', `${service}/v1`, '--key', 'floe_key', ...names].concat([
      '--secret',
      signingSecret,
    ]),
    {},
    stop.signal,
  )
  t.equal(code, 0)
  t.match(err, /^floe: warning: Unexpected answer with status 503 from .*\n$/)
})

t.test('a wrong command line, and a service that refuses, are explained', async (t) => {
  const { origin } = await startServer(t)
  const to = ['--to', 'http://localhost:3000/hook']
  const environment = { XDG_STATE_HOME: t.testdir() }
  for (const [args, message] of [
    [[], 'listen needs --to'],
    [['--to', 'localhost:3000'], '--to must be an http or https URL'],
    [to, 'listen needs --org and --deployment'],
    [[...to, ...names, '--secret', 'hush'], 'the signing secret must be "whsec_"'],
    [[...to, ...names, '--events', 'NewComit'], '--events must be NewCommit, SchemaChanged, BranchCreated'],
    [[...to, ...names, '--events', 'NewCommit,TagCreated'], 'repeat --events for several'],
    [[...to, ...names, '--repo', 'a', '--repo', 'b'], '--repo can name one repository'],
    [[...to, '--trigger', 'NewComit'], 'there is no event NewComit; did you mean NewCommit?'],
    [[...to, ...names, '--url', origin], 'floe: --url must be an http(s) address that ends in /v1'],
    [[...to, ...names, '--org', ''], 'floe: --org is not the name of an organisation'],
    [[...to, ...names, '--deployment', ''], 'floe: --deployment is not the name of a deployment'],
  ] as const) {
    const { code, err } = await runHere(['listen', ...args], environment)
    t.equal(code, 2)
    t.match(err, message)
    t.notMatch(err, 'hush')
    t.notMatch(err, /(\b[A-Z][A-Za-z]+), \1\b/, 'no event is named twice')
  }
  const refused = await runHere(['listen', ...to, ...names, '--url', `${origin}/v1`, '--key', 'floe_nope'], environment)
  t.match(refused, { code: 1, err: /^floe: Credentials needed: / })
  const [, secret] = /signed with (whsec_\S{44})\n$/.exec(refused.out) ?? []
  const file = join(environment.XDG_STATE_HOME, 'floe/signing-secret')
  t.equal(await readFile(file, 'utf8'), `${secret}\n`, 'the next run has the same secret')
  t.equal((await stat(file)).mode & 0o777, 0o600)
})

t.test('only the selected events are sent, from a position on', async (t) => {
  const { origin, apiKey, db } = await startServer(t)
  const { to, received } = await startReceiver(t, { signingSecrets: [signingSecret] })
  for (const repo of ['weather', 'satellite', 'weather']) await recordEvent(db, repo, `of ${repo}`)
  await recordEvent(db, 'weather', 'of a branch', 'dev')
  const stop = new AbortController()
  const ended = runHere(
    ['listen', '--to', to, '--url', `${origin}/v1`, ...names, '--key', apiKey, '--secret', signingSecret].concat([
      '--repo',
      'weather',
      '--branches',
      'd*',
      '--branches',
      'main',
      '--events',
      'NewCommit',
      '--after',
      '0',
    ]),
    {},
    stop.signal,
  )
  await waitUntil(() => received.length === 3)
  stop.abort(new Error('stopped'))
  await ended
  t.strictSame(received, ['1 of weather', '2 of weather', '3 of a branch'])
})

t.test('an example of an event is sent without a service', async (t) => {
  const { to, received } = await startReceiver(t, { signingSecrets: [signingSecret] })
  const sending = ['listen', '--secret', signingSecret, '--trigger', 'NewCommit', '--to']
  const { code, out } = await runHere([...sending, to])
  t.equal(code, 0)
  t.match(out, /^NewCommit acme\/weather main [0-9A-Z]{20}: 204\n$/)
  t.match(received, [/^1 /])
  const failed = await runHere([...sending, 'http://127.0.0.1:1/'])
  t.match(failed, { code: 1, err: 'floe: http://127.0.0.1:1/ did not take the example' })
})
