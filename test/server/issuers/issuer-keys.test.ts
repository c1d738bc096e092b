import type { ServerResponse } from 'node:http'
import { t } from 'tap'
import { ManualTiming } from '../notifications/manual-timing.ts'
import { systemTiming } from '../../../server/timing.ts'
import { makeDocumentReader } from '../../../server/issuers/read-document.ts'
import { readIssuerKeys } from '../../../server/issuers/issuer-keys.ts'
import { startReceiver, testAuthority } from '../notifications/start-receiver.ts'
import { waitUntil } from '../wait-until.ts'
import { makeKey, openCheck, sign, startIssuer } from './start-issuer.ts'

const [first, second] = await Promise.all([makeKey('first'), makeKey('second')])

const unavailable = { code: 'unavailable' }
const keysPath = '/realms/acme/keys'
const discoveryPath = '/realms/acme/.well-known/openid-configuration'

t.test('keys are read once, and again at most once a minute for an unknown one', async (t) => {
  const { issuer, documents, asked } = await startIssuer(t, [first])
  const timing = new ManualTiming()
  const { tokens } = await openCheck([{ issuer }], timing)
  const check = async (key = first) =>
    (await tokens.check(await sign({ issuer, key, now: timing.now() }))) !== undefined
  t.strictSame(await Promise.all([check(), check(), check()]), [true, true, true])
  t.strictSame(asked, [discoveryPath, keysPath])
  documents[keysPath] = { keys: [first.jwk, second.jwk] }
  t.notOk(await check(second), 'within the first minute')
  await timing.pass(60_000, 60_000)
  t.ok(await check(second))
  for (let count = 0; count < 20; count++) await check({ ...second, kid: `unknown ${count}` })
  t.equal(asked.length, 4)
})

t.test('old keys are used for an hour while the issuer is down, and no longer', async (t) => {
  const { issuer, documents, asked } = await startIssuer(t, [first])
  const timing = new ManualTiming()
  const { tokens, errors } = await openCheck([{ issuer }], timing)
  const check = async () => tokens.check(await sign({ issuer, key: first, now: timing.now() }))
  await check()
  const document = documents[discoveryPath]
  delete documents[discoveryPath]
  await timing.pass(3_600_000, 3_600_000)
  t.ok(await check())
  while (errors.length === 0) await new Promise(setImmediate)
  t.match(errors, [{ name: 'IssuerError', message: /answers with status 404/ }])
  await timing.pass(60_001, 60_001)
  await t.rejects(check(), unavailable)
  await t.rejects(check(), unavailable, 'not asked again at once')
  t.equal(asked.length, 4)
  documents[discoveryPath] = document
  await timing.pass(5_000, 5_000)
  t.ok(await check())
})

t.test('a key that the issuer has withdrawn is refused after eleven minutes', async (t) => {
  const { issuer, documents, asked } = await startIssuer(t, [first])
  const timing = new ManualTiming()
  const { tokens } = await openCheck([{ issuer }], timing)
  const check = async () => tokens.check(await sign({ issuer, key: first, now: timing.now() }))
  t.ok(await check())
  documents[keysPath] = { keys: [second.jwk] }
  await timing.pass(600_001, 600_001)
  t.ok(await check(), 'nobody waits for the new keys')
  await waitUntil(async () => (await check()) === undefined)
  t.equal(asked.length, 4)
})

t.test('an issuer that hangs, lies or sends too much is an outage, and costs little', async (t) => {
  const { issuer, documents } = await startIssuer(t, [first])
  const good = { ...documents }
  const timing = new ManualTiming()
  const endTime = () => void timing.pass(5_000, 5_000)
  let sent = 0
  const sendMuch = (_: unknown, response: ServerResponse) => {
    const chunk = Buffer.alloc(1_000_000, ' ')
    const write = () => {
      while (sent < 50_000_000 && !response.destroyed) {
        sent += chunk.length
        if (!response.write(chunk)) return void response.once('drain', write)
      }
    }
    write()
  }
  const discovery = (change: object) => ({ [discoveryPath]: { issuer, jwks_uri: `${issuer}/keys`, ...change } })
  const faults: Readonly<Record<string, object>> = {
    'hangs before it answers': { [discoveryPath]: endTime },
    'hangs in the middle': {
      [keysPath]: (_: unknown, response: ServerResponse) => void response.write('{"keys":[', endTime),
    },
    'sends 50 MB': { [keysPath]: sendMuch },
    'is another issuer': discovery({ issuer: 'https://id.example.org' }),
    'has no keys': { [keysPath]: {} },
    'has too many keys': { [keysPath]: { keys: Array.from({ length: 101 }, () => first.jwk) } },
    'sends no JSON': { [keysPath]: (_: unknown, response: ServerResponse) => void response.end('<html>') },
    redirects: {
      [keysPath]: (_: unknown, response: ServerResponse) =>
        void response.writeHead(302, { location: `${issuer}/other` }).end(),
    },
    'has keys at an address of another kind': discovery({ jwks_uri: 'file:///etc/passwd' }),
    'has keys at another port': discovery({ jwks_uri: 'http://127.0.0.1:1/keys' }),
    'has keys at an inner address': discovery({ jwks_uri: 'https://169.254.169.254/latest' }),
    'has keys at an inner name': discovery({ jwks_uri: 'https://inner.example.org/keys' }),
  }
  for (const [name, changed] of Object.entries(faults)) {
    Object.assign(documents, good, changed)
    const resolveHost = async () => ['10.0.0.1']
    const { tokens, errors } = await openCheck([{ issuer, resolveHost }], timing)
    await t.rejects(tokens.check(await sign({ issuer, key: first, now: timing.now() })), unavailable, name)
    t.match(errors, [{ name: 'IssuerError' }], name)
  }
  t.ok(sent < 20_000_000, `${sent} bytes of 50 MB were sent`)
})

t.test('keys at another host must be at public addresses, whatever its name', async (t) => {
  const read = makeDocumentReader({
    issuer: 'https://id.example.org',
    extraCa: undefined,
    resolveHost: async () => ['127.0.0.1'],
    timing: systemTiming,
  })
  await t.rejects(read('https://keys.example.org/'), { name: 'IssuerError', message: /loopback/ })
  await t.rejects(read('https://[::ffff:10.0.0.1]/'), { name: 'IssuerError', message: /IPv4-mapped/ })
})

t.test('an issuer behind an authority of its own needs the file of that', async (t) => {
  let issuer = ''
  const port = await startReceiver(t, ({ url }, response) => {
    response.end(JSON.stringify(url === '/keys' ? { keys: [first.jwk] } : { issuer, jwks_uri: `${issuer}/keys` }))
  })
  issuer = `https://localhost:${port}`
  const read = (extraCa: string | undefined) =>
    readIssuerKeys(
      issuer,
      makeDocumentReader({ issuer, extraCa, resolveHost: async () => ['127.0.0.1'], timing: systemTiming }),
    )
  t.match(await read(testAuthority), { keys: [{ kid: 'first' }] })
  await t.rejects(read(undefined), { name: 'IssuerError', message: /; the setting caFile of this issuer can name it/ })
})
