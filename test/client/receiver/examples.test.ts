// Runs the unchanged examples of receivers and sends them the requests of a service. `frameworks.long.test.ts` does
// so with frameworks that it installs.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { t, type Test } from 'tap'
import { notification } from '../../contract/notifications.ts'
import { checkReceiver, checkSignature, receivedLine } from './check-receiver.ts'
import { secretToken, signHeaders, signingSecret } from './sign-headers.ts'
import { type Example, exampleEnvironment, refusesLong, startExample } from './start-example.ts'

const client = new URL('../../../client/', import.meta.url)
const body = JSON.stringify(notification)

function startNode(t: Test, file: string): Promise<Example> {
  const path = fileURLToPath(new URL(`examples/${file}`, client))
  return startExample(t, process.execPath, ['--conditions=@floe/source', path])
}

t.test('the Fastify example receives', async (t) => {
  const example = await startNode(t, 'fastify.ts')
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
  t.equal(await example.printed(), receivedLine)
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
  const send = (headers: Record<string, string>) =>
    receiver.fetch(new Request('https://receiver.example.org', { method: 'POST', headers, body }))
  t.equal((await send({ ...signHeaders(body), 'webhook-test': 'true' })).status, 204)
  t.equal((await send(signHeaders(body))).status, 204)
  t.strictSame(
    printed().map(({ args }) => args),
    [['msg_1, attempt 1: weather is now at P874YS3J196959RDHX7G: Add the 12 UTC run 🛰️']],
  )
})
