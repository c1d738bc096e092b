// Receivers in frameworks that are installed for this test: the unchanged examples, and applications whose parsers have
// read the body before.
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { t, type Test } from 'tap'
import { notification } from '../../contract/notifications.ts'
import { installFromNpm, run } from '../../generators/install.ts'
import { checkReceiver, checkSignature, receivedLine } from './check-receiver.ts'
import { signHeaders } from './sign-headers.ts'
import { startExample } from './start-example.ts'

t.setTimeout(900_000)

const { root, skip } = await installFromNpm('frameworks', [
  '@google-cloud/functions-framework@5.0.5',
  '@types/express@5.0.6',
  '@types/koa@3.0.3',
  'express@5.3.0',
  'fastify@5.12.8',
  'fastify-raw-body@6.0.1',
  'koa@3.3.0',
  'koa-bodyparser@4.4.1',
])

const examples = new URL('../../../client/examples/', import.meta.url)
const directory = t.testdir({
  'package.json': JSON.stringify({ type: 'module' }),
  'tsconfig.json': JSON.stringify({
    extends: fileURLToPath(new URL('../../../tsconfig.json', import.meta.url)),
    include: ['express.ts', 'google-cloud-functions.ts', 'koa.ts'],
    exclude: [],
  }),
})
if (!skip) {
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'))
  for (const file of await readdir(examples)) {
    await writeFile(join(directory, file), await readFile(new URL(file, examples)))
  }
}

const body = JSON.stringify(notification)

/** Prints where a server listens, as the examples do. */
const announce = `() => console.log('listening on http://127.0.0.1:' + server.address().port)`
/** Starts the function of the example, which the command `functions-framework` does otherwise. */
const functionsServer = `
import { getTestServer } from '@google-cloud/functions-framework/testing'
import './google-cloud-functions.ts'
const server = getTestServer('floe').listen(0, '127.0.0.1', ${announce})
`

t.test('the examples have the right types', { skip }, async (t) => {
  const tsc = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url))
  await t.resolves(run(tsc, ['-p', directory], directory))
})

for (const file of ['express.ts', 'koa.ts']) {
  t.test(`the example receives: ${file}`, { skip }, async (t) => {
    const receiver = await startExample(t, execPath, ['--conditions=@floe/source', join(directory, file)])
    await checkSignature(t, receiver)
    await checkReceiver(t, receiver)
  })
}

// Its framework itself answers bodies that are long or not JSON.
t.test('the example receives: google-cloud-functions.ts', { skip }, async (t) => {
  const path = join(directory, 'functions-server.ts')
  await writeFile(path, functionsServer)
  const receiver = await startExample(t, execPath, ['--conditions=@floe/source', path])
  await checkSignature(t, receiver)
  t.equal((await receiver.send({ method: 'POST', headers: signHeaders(body), body })).status, 204)
  t.equal(await receiver.printed(), receivedLine)
})

/** Applications whose parsers read the body before the receiver, and keep its bytes. */
const keeping = {
  'express.json with verify': `
    import express from 'express'
    const app = express()
    app.use(express.json({ verify: (request, _, bytes) => void (request.rawBody = bytes) }))
    app.post('/floe', toExpressHandler(receive))
    const server = app.listen(0, '127.0.0.1', ${announce})
  `,
  'express.raw': `
    import express from 'express'
    const app = express()
    app.post('/floe', express.raw({ type: '*/*' }), toExpressHandler(receive))
    const server = app.listen(0, '127.0.0.1', ${announce})
  `,
  'Google Cloud Functions with the handler of Express': `
    import { http } from '@google-cloud/functions-framework'
    import { getTestServer } from '@google-cloud/functions-framework/testing'
    http('floe', toExpressHandler(receive))
    const server = getTestServer('floe').listen(0, '127.0.0.1', ${announce})
  `,
  'fastify-raw-body, and another preParsing hook': `
    import { PassThrough } from 'node:stream'
    import Fastify from 'fastify'
    import rawBody from 'fastify-raw-body'
    const app = Fastify()
    await app.register(rawBody)
    app.addHook('preParsing', async (request, reply, payload) => payload.pipe(new PassThrough()))
    app.register(toFastifyPlugin(receive), { prefix: '/floe' })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { server } = app
    ;(${announce})()
  `,
}

/** Those that keep only what they parsed. */
const parsing = {
  'express.json': `
    import express from 'express'
    const app = express()
    app.use(express.json())
    app.post('/floe', toExpressHandler(receive))
    app.use((error, request, response, next) => { console.log(error.message); response.status(500).end() })
    const server = app.listen(0, '127.0.0.1', ${announce})
  `,
  'koa-bodyparser': `
    import Koa from 'koa'
    import bodyParser from 'koa-bodyparser'
    const app = new Koa()
    const listen = toNodeListener(receive)
    app.use(bodyParser())
    app.use((context) => { context.respond = false; listen(context.req, context.res) })
    console.error = (error) => console.log(error.message)
    const server = app.listen(0, '127.0.0.1', ${announce})
  `,
}

/** Starts an application, and sends it a signed notification. */
async function receive(t: Test, application: string) {
  const program = `
    import { createReceiver, toExpressHandler, toFastifyPlugin, toNodeListener } from '@floe/client/receiver'
    const receive = createReceiver({
      secretToken: process.env.FLOE_SECRET_TOKEN,
      signingSecrets: [process.env.FLOE_SIGNING_SECRET],
      onNewCommit: ({ repo_name, snapshot_id }, { id }) => console.log(id + ': ' + repo_name + ' is now at ' + snapshot_id),
    })
    ${application}
  `
  const path = join(directory, `application-${t.name.replaceAll(/\W+/g, '-')}.js`)
  await writeFile(path, program)
  const example = await startExample(t, execPath, ['--conditions=@floe/source', path])
  const { status } = await example.send({ method: 'POST', headers: signHeaders(body), body })
  return { status, printed: await example.printed() }
}

for (const [name, application] of Object.entries(keeping)) {
  t.test(`a body is verified by the bytes that were kept: ${name}`, { skip }, async (t) => {
    t.strictSame(await receive(t, application), { status: 204, printed: receivedLine })
  })
}

for (const [name, application] of Object.entries(parsing)) {
  t.test(`a body that was only parsed is an error that says so: ${name}`, { skip }, async (t) => {
    t.match(await receive(t, application), { status: 500, printed: /already read by a parser.*pass its raw bytes/ })
  })
}
