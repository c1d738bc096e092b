// Clients whose id is the https address of a document about them.
import type { RequestListener, ServerResponse } from 'node:http'
import { HostNotFoundError } from '@floe/storage/addresses'
import { t, type Test } from 'tap'
import { IssuerError, makeDocumentReader } from '../../../server/issuers/read-document.ts'
import { systemTiming } from '../../../server/timing.ts'
import { readProxy } from '../../../server/main/configuration/read-proxy.ts'
import { startProxy } from '../notifications/start-proxy.ts'
import { makeTimeLimit, startReceiver, testAuthority } from '../notifications/start-receiver.ts'
import { redirect, startExchange } from './start-exchange.ts'

/** Serves a document. `endTime` ends the time of the request. */
type Listener = (...call: [...Parameters<RequestListener>, endTime: () => void]) => unknown

/** A server whose way to all public hosts leads through a proxy to one that serves a document. */
async function start(t: Test, listener: Listener) {
  const { timing, endTime } = makeTimeLimit()
  const port = await startReceiver(t, (request, response) => listener(request, response, endTime))
  const { url } = await startProxy(t)
  const readClient = makeDocumentReader({
    extraCa: testAuthority,
    // Public names are known to the proxy alone.
    resolveHost: async (host) => {
      if (host.startsWith('inner')) return ['10.0.0.1']
      throw new HostNotFoundError(`${host} is not known here`)
    },
    proxy: readProxy({ proxy: url }, {}),
    timing: { ...systemTiming, ...timing },
  })
  const server = await startExchange(t, {}, readClient)
  return { ...server, address: `https://receiver.test:${port}/client.json` }
}

const describe = (client_id: string, others: object = {}) =>
  JSON.stringify({ client_id, client_name: 'Assistant', redirect_uris: [redirect], ...others })

t.test('a client is known by its document, which needs no registration', async (t) => {
  const server = await start(t, ({ headers }, response) =>
    response.end(describe(`https://${headers.host}/client.json`)),
  )
  const page = await server.ask(server.makeRequest(server.address))
  t.match(await page.text(), new RegExp(`<bdi>Assistant</bdi>, as ${new URL(server.address).host}\\s+says`))
  const code = await server.getCode(server.address, server.apiKey)
  const { answer } = await server.useCode(server.address, code)
  t.equal(await server.call(answer.access_token), 200)
  t.equal((await server.refresh(server.address, answer.refresh_token)).status, 200)
  const elsewhere = await server.ask(server.makeRequest(server.address, { redirect_uri: `${redirect}/` }))
  t.equal(elsewhere.status, 400)
})

t.test('what is no document of the client is refused in one way, and costs little', async (t) => {
  let sent = 0
  const sendMuch = (response: ServerResponse) => {
    const chunk = Buffer.alloc(1_000_000, ' ')
    while (sent < 50_000_000 && !response.destroyed) {
      sent += chunk.length
      if (!response.write(chunk)) return void response.once('drain', () => sendMuch(response))
    }
  }
  const documents: Readonly<
    Record<string, (response: ServerResponse, address: string, endTime: () => void) => unknown>
  > = {
    '/other': (response) => response.end(describe('https://receiver.test/client.json')),
    '/secret': (response, id) => response.end(describe(id, { token_endpoint_auth_method: 'client_secret_basic' })),
    '/no-addresses': (response, id) => response.end(describe(id, { redirect_uris: [] })),
    '/many-addresses': (response, id) => response.end(describe(id, { redirect_uris: Array(21).fill(redirect) })),
    '/html': (response) => response.end('<html>'),
    '/missing': (response) => response.writeHead(404).end(),
    '/moved': (response, id) => response.writeHead(302, { location: id.replace('moved', 'good') }).end(),
    '/hanging': (_response, _id, endTime) => endTime(),
    '/halting': (response, _id, endTime) => response.write('{"client_id":', endTime),
    '/huge': sendMuch,
    '/good': (response, id) => response.end(describe(id)),
  }
  const server = await start(t, ({ url = '', headers }, response, endTime) => {
    documents[url]?.(response, `https://${headers.host}${url}`, endTime)
  })
  const { origin } = new URL(server.address)
  const ask = async (id: string) => {
    const response = await server.ask(server.makeRequest(id))
    return { status: response.status, text: await response.text() }
  }
  t.equal((await ask(`${origin}/good`)).status, 200)
  const others = ['https://10.0.0.1/c.json', 'https://[::1]/c.json', 'https://localhost/c.json', 'https://inner.test/c']
  const spelt = [
    origin,
    `${origin}/`,
    `${origin}/good#a`,
    `${origin}/a/../good`,
    origin.replace('//', '//a@') + '/good',
  ]
  const faulty = Object.keys(documents).filter((path) => path !== '/good')
  for (const id of [...others, ...spelt, ...faulty.map((path) => origin + path)]) {
    const { status, text } = await ask(id)
    t.equal(status, 400, id)
    t.match(text, /client_id: there is no document of this client, with its client_id, at a public address/, id)
    t.notMatch(text, /10\.0\.0\.1|private|loopback|too long|status 404/, id)
  }
  t.ok(sent < 20_000_000, `${sent} bytes of 50 MB were sent`)
})

t.test('nobody makes the service read many documents', async (t) => {
  const asked: (() => void)[] = []
  const fail = () => Promise.reject(new IssuerError('there is no such document'))
  const hang = () => new Promise<void>((resolve) => void asked.push(resolve)).then(fail)
  let readClient = hang
  const server = await startExchange(t, {}, () => readClient())
  const ask = async () => (await server.ask(server.makeRequest('https://example.org/client.json'))).status
  const hanging = Array.from({ length: 20 }, ask)
  while (asked.length < 20) await new Promise(setImmediate)
  t.equal(await ask(), 503, 'more than 20 at once')
  t.equal((await server.ask(server.makeRequest(await server.newClient()))).status, 200, 'other clients go on')
  for (const resolve of asked) resolve()
  t.strictSame(new Set(await Promise.all(hanging)), new Set([400]))
  readClient = fail
  for (let count = 21; count < 60; count++) t.equal(await ask(), 400)
  t.equal(await ask(), 429, 'more than 60 in a minute')
})
