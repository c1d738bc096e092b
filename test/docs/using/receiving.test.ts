// docs/using/receiving.md, docs/using/events.md and docs/using/verifying.md say what is true: tables are compared with
// the contract, and programs are run.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { CommitsUnavailableReason, notificationHeaders, SentNewCommit } from '@floe/contract'
import { defaultFilter, eventNames } from '@floe/contract/lists'
import { t, type Test } from 'tap'
import { writeHeaders } from '../../../server/notifications/deliver/write-request.ts'
import { secretToken, signHeaders, signingSecret } from '../../client/receiver/sign-headers.ts'
import { notification } from '../../contract/notifications.ts'
import { findPython } from '../../find-python.ts'

const documents = ['receiving.md', 'events.md', 'verifying.md'].map(
  (name) => new URL(`../../../docs/using/${name}`, import.meta.url),
)
const guide = (await Promise.all(documents.map((document) => readFile(document, 'utf8')))).join('\n')
const body = JSON.stringify(notification)

/** The code blocks of a language below a heading, up to the next heading. */
function blocks(language: string, heading: string): string[] {
  const [, section = ''] = guide.split(`\n${heading}\n`)
  const [text = ''] = section.split(/^#+ /m)
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code)
}

/** The names in the first column of the table whose first heading is given. */
function firstColumn(heading: string): string[] {
  const [, rows = ''] = guide.split(`\n| ${heading} |`)
  const [table = ''] = rows.split('\n\n')
  return [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name = '']) => name)
}

/** A program to which the guide links. */
const readExample = (name: string) => readFile(new URL(`../../../client/examples/${name}`, import.meta.url), 'utf8')

/** A module of the guide, with the secrets of the tests in it. */
async function importExample(t: Test, program: string) {
  const filled = program
    .replaceAll('your-secret-token', secretToken)
    .replaceAll('whsec_your-signing-secret', signingSecret)
  return import(pathToFileURL(join(t.testdir({ 'example.ts': filled }), 'example.ts')).href)
}

t.test('the tables name what is sent, and nothing else', async (t) => {
  const ofAll = ['org_name', 'repo_name', 'repo_id']
  for (const field of ofAll) t.match(guide, `\`${field}\``)
  const fields = [...Object.keys(SentNewCommit.shape.details.shape), 'changes']
  t.strictSame(
    firstColumn('field'),
    fields.filter((field) => !ofAll.includes(field)),
  )
  t.strictSame(
    firstColumn('`commits_unavailable_reason` | meaning').toSorted(),
    CommitsUnavailableReason.options.toSorted(),
  )
  for (const name of eventNames) t.match(guide, `\`${name}\``)
  const event = { payload: body, line: 'line', sequence: 2 }
  const sent = writeHeaders(
    { deliveryId: 'msg_1', attempt: 1, replayOf: 'msg_0', isTest: true, event },
    {
      kind: 'webhook',
      url: 'https://example.org/',
      service: null,
      filter: defaultFilter,
      secretToken,
      headers: {},
      signingSecrets: [signingSecret],
    },
    body,
    '1.0.0',
    0,
  )
  t.strictSame(firstColumn('header'), Object.keys(sent))
  t.strictSame(firstColumn('header'), Object.values(notificationHeaders))
})

t.test('the body that is shown is a notification', async (t) => {
  const [shown = ''] = blocks('json', '## The request')
  t.strictSame(SentNewCommit.parse(JSON.parse(shown)), JSON.parse(shown))
})

t.test('the receiver in TypeScript receives', async (t) => {
  const [program = ''] = blocks('ts', '## In TypeScript')
  const { default: receiver } = await importExample(t, program)
  const printed = t.capture(console, 'log')
  const send = (headers: Record<string, string>) =>
    receiver.fetch(new Request('https://example.org/floe', { method: 'POST', headers, body }))
  t.equal((await send({ ...signHeaders(body), 'webhook-test': 'true' })).status, 204)
  t.strictSame(printed(), [], 'a test is not acted on')
  t.equal((await send({ ...signHeaders(body), 'webhook-id': 'msg_2' })).status, 401)
  t.equal((await send(signHeaders(body))).status, 204)
  t.match(printed()[0]?.args, [/^msg_1, move \d+: weather is now at P874YS3J196959RDHX7G$/])
})

/**
 * Makes requests with the token and the secret of the webhook; the first is genuine, and the second has another token.
 * Each test has its own, because signatures are valid for five minutes.
 */
function makeCases() {
  const headers = signHeaders(body)
  return [
    [headers, body, secretToken, signingSecret],
    [headers, body, 'another', signingSecret],
    [headers, `${body} `, secretToken, signingSecret],
    [headers, body, secretToken, `whsec_${Buffer.alloc(32).toString('base64')}`],
    [signHeaders(body, { timestamp: Math.floor(Date.now() / 1000) - 310 }), body, secretToken, signingSecret],
    [{}, body, secretToken, signingSecret],
  ] as const
}

/** Whether each request is signed. */
const verdicts = [true, true, false, false, false, false]

const python = findPython('hmac')
t.test('the parts in Python tell a genuine request from others', { skip: python.skip }, async (t) => {
  const [program = ''] = (await readExample('python_receiver.py')).split('\nclass RejectedError')
  const parts = program.replace(/^from jsonschema.*$/gm, '')
  const driver = `
import json, sys
for headers, body, token, secret in json.load(sys.stdin):
    lines = {name.title(): value for name, value in headers.items()}
    class Headers:
        def get(self, name, default): return lines.get(name.title(), default)
    print(has_token(Headers(), token), is_signed(Headers(), body.encode(), [decode_signing_key(secret)]))
`
  const input = JSON.stringify(makeCases())
  const out = execFileSync(python.command, ['-c', parts + driver], { input, encoding: 'utf8' })
  t.strictSame(out.trim().split('\n'), [
    'True True',
    'False True',
    'True False',
    'True False',
    'True False',
    'False False',
  ])
})

const go = findCommand(process.env['FLOE_TEST_GO'] ?? 'go', 'version')
t.test('the package in Go tells a genuine request from others', { skip: go.skip, timeout: 300_000 }, async (t) => {
  const source = await readExample('verify.go')
  const main = `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"example.org/receiver/webhook"
)

func main() {
	var requests []struct { Headers map[string]string; Body string; Secrets []string }
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		panic(err)
	}
	for _, r := range requests {
		h := r.Headers
		err := webhook.Verify(h["webhook-id"], h["webhook-timestamp"], h["webhook-signature"], []byte(r.Body), r.Secrets, time.Now())
		fmt.Println(err == nil)
	}
}
`
  const cwd = t.testdir({
    'go.mod': 'module example.org/receiver\n\ngo 1.19\n',
    'main.go': main,
    webhook: { 'verify.go': source },
  })
  const cache = fileURLToPath(new URL('../../../node_modules/.cache/go', import.meta.url))
  const env = { ...process.env, GOCACHE: cache, GOPROXY: 'off', GOTOOLCHAIN: 'local' }
  const requests = makeCases().map(([Headers, Body, , secret]) => ({ Headers, Body, Secrets: [secret] }))
  const out = execFileSync(go.command, ['run', '.'], { cwd, env, input: JSON.stringify(requests), encoding: 'utf8' })
  t.strictSame(out.trim().split('\n'), verdicts.map(String))
})

const openssl = findCommand('openssl', 'version')
t.test('the script for a shell tells a genuine request from others', { skip: openssl.skip }, async (t) => {
  const script = await readExample('verify.sh')
  const rotated = signHeaders(body, { secrets: [`whsec_${Buffer.alloc(32).toString('base64')}`, signingSecret] })
  const unsigned = { ...signHeaders(body), 'webhook-signature': 'v1,' }
  const requests = [
    ...makeCases(),
    [rotated, body, secretToken, signingSecret],
    [unsigned, body, secretToken, 'whsec_'],
    [unsigned, body, secretToken, 'no secret'],
  ] as const
  const results = requests.map(([sent, content, , secret]) => {
    const received: Readonly<Record<string, string>> = sent
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    const cwd = t.testdir({ 'verify.sh': script, body: content })
    const env = { ...process.env, FLOE_SIGNING_SECRET: secret }
    return spawnSync('sh', ['verify.sh', ...names.map((name) => received[name] ?? ''), 'body'], { cwd, env }).status
  })
  t.strictSame(
    results.map((status) => status === 0),
    [...verdicts, true, false, false],
  )
})

/** A command, or the reason to skip what needs it. */
function findCommand(command: string, argument: string) {
  const { status } = spawnSync(command, [argument], { stdio: 'ignore' })
  return { command, skip: status !== 0 && `no ${command}` }
}
