// Runs the unchanged examples of receivers and sends them the requests of a service.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { notification } from '../../contract/notifications.ts'
import { secretToken, signHeaders, signingSecret } from './sign-headers.ts'
import { type Example, exampleEnvironment, refusesLong, startExample } from './start-example.ts'

const client = new URL('../../../client/', import.meta.url)
const body = JSON.stringify(notification)
const line = 'msg_1: weather is now at P874YS3J196959RDHX7G'

function startNode(t: Test, file: string): Promise<Example> {
  const path = fileURLToPath(new URL(`examples/${file}`, client))
  return startExample(t, process.execPath, ['--conditions=@floe/source', path])
}

/** Tests what every receiver must do. Sends the valid notification last, so that anything printed earlier is noticed. */
async function checkReceiver(t: Test, { send, printed }: Example) {
  const headers = signHeaders(body)
  const wrong = JSON.stringify({ ...notification, details: {} })
  for (const { status, ...init } of [
    { status: 401, headers: { ...headers, 'x-secret-token': 'another' }, body },
    { status: 400, headers: signHeaders(wrong), body: wrong },
    { status: 400, headers: signHeaders('{'), body: '{' },
  ]) {
    const response = await send({ method: 'POST', ...init })
    t.equal(response.status, status)
    await response.text()
  }
  const long = ' '.repeat(2_000_000)
  await refusesLong(t, send({ method: 'POST', headers: signHeaders(long), body: long }))
  t.equal((await send({ method: 'POST', headers, body })).status, 204)
  t.equal(await printed(), line)
}

async function checkSignature(t: Test, { send }: Example) {
  const headers = { ...signHeaders(body), 'webhook-id': 'msg_2' }
  t.match(await (await send({ method: 'POST', headers, body })).json(), { status: 401, detail: /signature/ })
}

t.test('the Fastify example receives', async (t) => {
  const example = await startNode(t, 'fastify.ts')
  await checkSignature(t, example)
  await checkReceiver(t, example)
})

t.test('the Express example receives', async (t) => {
  const example = await startNode(t, 'express.ts')
  await checkSignature(t, example)
  await checkReceiver(t, example)
})

t.test('the Node example receives, also bodies of unknown length', async (t) => {
  const example = await startNode(t, 'node-http.ts')
  await checkSignature(t, example)
  await checkReceiver(t, example)
  t.equal((await example.send({})).status, 405)
  const init = { method: 'POST', headers: signHeaders(body), duplex: 'half' }
  t.equal((await example.send({ ...init, body: new Blob([body]).stream() })).status, 204)
  t.equal(await example.printed(), line)
  await refusesLong(t, example.send({ ...init, body: new Blob([' '.repeat(2_000_000)]).stream() }))
  t.equal((await example.send({ method: 'POST', headers: signHeaders(body), body })).status, 204)
})

t.test('the worker example receives', async (t) => {
  const { default: worker } = await import('../../../client/examples/worker.ts')
  const printed = t.capture(console, 'log')
  const example: Example = {
    send: (init) => worker.fetch(new Request('https://receiver.example.org/floe', init), exampleEnvironment),
    printed: async () => printed()[0]?.args.join(' '),
  }
  await checkSignature(t, example)
  await checkReceiver(t, example)
})

t.test('the example of the README receives', async (t) => {
  const text = await readFile(new URL('README.md', client), 'utf8')
  const [, example = ''] = /## Receiving webhooks\n\n```ts\n(.*?)```/s.exec(text) ?? []
  const program = example.replace('your-secret-token', secretToken).replace('whsec_your-signing-secret', signingSecret)
  const path = join(t.testdir({ 'example.ts': program }), 'example.ts')
  const { default: receiver } = await import(pathToFileURL(path).href)
  const printed = t.capture(console, 'log')
  const request = new Request('https://receiver.example.org', { method: 'POST', headers: signHeaders(body), body })
  t.equal((await receiver.fetch(request)).status, 204)
  t.strictSame(printed()[0]?.args, ['msg_1, attempt 1: weather is now at P874YS3J196959RDHX7G: Add the 12 UTC run 🛰️'])
})
