import { createHmac, createSign, KeyObject } from 'node:crypto'
import { exportSPKI } from 'jose'
import { t } from 'tap'
import { ManualTiming } from '../notifications/manual-timing.ts'
import type { Caller } from '../../../server/http/access/caller.ts'
import { baseUrl, makeKey, openCheck, sign, startIssuer } from './start-issuer.ts'

const keys = await Promise.all([
  makeKey('rsa', 'RS256'),
  makeKey('ec'),
  makeKey('ed', 'EdDSA'),
  makeKey('pss', 'PS256'),
])
const [rsa, ec, ed, pss] = keys
const foreign = await makeKey('ec')

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

t.test('tokens of RS256, ES256 and EdDSA stand for what the rules say', async (t) => {
  const { issuer } = await startIssuer(t, keys)
  const timing = new ManualTiming()
  const { tokens } = await openCheck([{ issuer }], timing)
  for (const key of [rsa, ec, ed]) {
    const found = await tokens.check(await sign({ issuer, key, now: timing.now() }, { email: 'ada@example.org' }))
    t.equal(found?.length, 1)
    t.match(found?.[0], {
      org: 'acme',
      role: 'admin',
      repos: null,
      person: { issuer, subject: 'ada', email: 'ada@example.org' },
    })
  }
  const other = await sign({ issuer, key: pss, now: timing.now() })
  t.equal(await tokens.check(other), undefined, 'another algorithm')
})

t.test('no token is taken that is unsigned, or signed with something else', async (t) => {
  const { issuer } = await startIssuer(t, keys)
  const timing = new ManualTiming()
  const { tokens, errors } = await openCheck([{ issuer }], timing)
  const good = await sign({ issuer, key: rsa, now: timing.now() })
  t.ok(await tokens.check(good))
  const [, payload = '', signature = ''] = good.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  // RS256 swapped for HS256, whose secret would be the public key.
  const swapped = `${encode({ alg: 'HS256', kid: 'rsa' })}.${payload}`
  const publicText = await exportSPKI(rsa.publicKey)
  const privateKey = KeyObject.from(rsa.privateKey)
  /** Signs any header and payload with a key of the issuer. */
  const signRaw = (header: object, body = payload) => {
    const text = `${encode({ alg: 'RS256', kid: 'rsa', ...header })}.${body}`
    return `${text}.${createSign('sha256').update(text).sign(privateKey, 'base64url')}`
  }
  t.ok(await tokens.check(signRaw({})))
  const attacks = {
    'no algorithm': `${encode({ alg: 'none' })}.${payload}.`,
    'no algorithm, with a signature': `${encode({ alg: 'none', kid: 'rsa' })}.${payload}.${signature}`,
    'a public key as secret': `${swapped}.${createHmac('sha256', publicText).update(swapped).digest('base64url')}`,
    'other claims': `${good.split('.')[0]}.${encode({ ...claims, sub: 'eve' })}.${signature}`,
    'a key of its own': await sign({ issuer, key: foreign, now: timing.now() }),
    'a key in its header': await sign({ issuer, key: foreign, now: timing.now() }, {}, { jwk: foreign.jwk }),
    'keys elsewhere': await sign({ issuer, key: foreign, now: timing.now() }, {}, { jku: 'https://evil.example.org/' }),
    'a certificate elsewhere': await sign(
      { issuer, key: foreign, now: timing.now() },
      {},
      { x5u: 'https://evil.org/' },
    ),
    'a certificate in its header': await sign({ issuer, key: foreign, now: timing.now() }, {}, { x5c: ['MIIB'] }),
    'the key of another algorithm': await sign({ issuer, key: { ...foreign, kid: 'rsa' }, now: timing.now() }),
    'a token for sign-out': await sign({ issuer, key: ec, now: timing.now() }, {}, { typ: 'logout+jwt' }),
    'a header that must be understood': signRaw({ crit: ['exp'], exp: 1 }),
    'an unencoded payload': signRaw({ crit: ['b64'], b64: false }),
    'an unencoded payload that is not critical': signRaw({ b64: false }, `${encode(claims)}x`),
    'a token in a token': signRaw({ cty: 'JWT' }, Buffer.from(good).toString('base64url')),
    'a text as claims': signRaw({}, Buffer.from('"ada"').toString('base64url')),
    'five parts': `${good}..`,
    'an encrypted token': `${encode({ alg: 'RSA-OAEP', enc: 'A256GCM', kid: 'rsa' })}.a.a.${payload}.a`,
    'a long name of a key': await sign({ issuer, key: { ...ec, kid: 'k'.repeat(10_000) }, now: timing.now() }),
    'a name of a key that is no text': signRaw({ kid: ['ec'] }),
    'no token': 'eyJ',
    'three dots': 'eyJ...',
    'a long token': await sign({ issuer, key: ec, now: timing.now() }, { long: 'x'.repeat(8_000) }),
  }
  for (const [name, token] of Object.entries(attacks)) t.equal(await tokens.check(token), undefined, name)
  t.strictSame(errors, [])
})

t.test('the keys of an issuer sign for it alone', async (t) => {
  const one = await startIssuer(t, [ec])
  const other = await startIssuer(t, [foreign])
  const timing = new ManualTiming()
  const { tokens } = await openCheck([{ issuer: one.issuer }, { issuer: other.issuer }], timing)
  const now = timing.now()
  t.ok(await tokens.check(await sign({ issuer: other.issuer, key: foreign, now })))
  t.equal(await tokens.check(await sign({ issuer: one.issuer, key: foreign, now })), undefined)
  t.equal(await tokens.check(await sign({ issuer: `${one.issuer}/`, key: ec, now })), undefined, 'an unknown issuer')
  const [mine, theirs] = await Promise.all([
    tokens.check(await sign({ issuer: one.issuer, key: ec, now })),
    tokens.check(await sign({ issuer: other.issuer, key: foreign, now })),
  ])
  t.not(mine?.[0].id, theirs?.[0].id, 'the same subject of two issuers is two accounts')
})

t.test('a token must be for this service, and for now', async (t) => {
  const { issuer } = await startIssuer(t, [ec])
  const timing = new ManualTiming()
  const { tokens } = await openCheck([{ issuer }], timing)
  const seconds = timing.now() / 1_000
  const check = async (claims: Record<string, unknown>) =>
    (await tokens.check(await sign({ issuer, key: ec, now: timing.now() }, claims))) !== undefined
  t.ok(await check({ aud: ['other', 'floe'] }))
  t.ok(await check({ aud: baseUrl }))
  t.ok(await check({ aud: `${baseUrl}/services/tiles/acme/_meta/mcp` }))
  t.notOk(await check({ aud: 'other' }))
  t.notOk(await check({ aud: `${baseUrl}.evil.example.org` }))
  t.notOk(await check({ aud: 'https://floe.example.org' }))
  t.notOk(await check({ aud: undefined }))
  t.ok(await check({ exp: seconds - 59 }), 'within the leeway')
  t.notOk(await check({ exp: seconds - 61 }), 'expired')
  t.notOk(await check({ exp: undefined }), 'endless')
  t.notOk(await check({ exp: 1e300 }))
  t.ok(await check({ nbf: seconds + 59 }))
  t.notOk(await check({ nbf: seconds + 61 }), 'not valid yet')
  t.notOk(await check({ iat: seconds + 61, exp: seconds + 900 }), 'issued in the future')
  t.notOk(await check({ sub: undefined }))
  t.notOk(await check({ sub: 'x'.repeat(256) }))
})

t.test('no person looks like another', async (t) => {
  const { issuer } = await startIssuer(t, [ec])
  const timing = new ManualTiming()
  const { tokens } = await openCheck([{ issuer }], timing)
  const find = async (claims: Record<string, unknown>) =>
    (await tokens.check(await sign({ issuer, key: ec, now: timing.now() }, claims)))?.[0]
  for (const sub of ['', 'a\0', 'a\u202ed', 'a\u200bda', 'a\nda', '\ud800'])
    t.equal(await find({ sub }), undefined, JSON.stringify(sub))
  t.equal((await find({ sub: 'Jürgen Müller' }))?.person?.subject, 'Jürgen Müller')
  const email = 'ada@example.org'
  t.equal((await find({ email }))?.person?.email, email)
  t.equal((await find({ email, email_verified: false }))?.person?.email, null)
  t.equal((await find({ email: `\u200b${email}` }))?.person?.email, null)
  t.equal((await find({ email: [email] }))?.person?.email, null)
  const asReader = { groups: [], email_verified: true }
  t.equal((await find({ ...asReader, email }))?.role, 'reader')
  t.equal(await find({ ...asReader, email: `eve\u200b${email}` }), undefined)
  t.equal(await find({ ...asReader, email: `${'a'.repeat(255)}@example.org` }), undefined)
})

t.test('several rules add up, for each organisation, and never beyond their own repositories', async (t) => {
  const { issuer } = await startIssuer(t, [ec])
  const timing = new ManualTiming()
  const { tokens } = await openCheck([{ issuer }], timing)
  const find = async (claims: Record<string, unknown>): Promise<readonly Caller[]> =>
    (await tokens.check(await sign({ issuer, key: ec, now: timing.now() }, claims))) ?? []
  t.match(await find({ groups: ['others', 'readers'] }), [
    { org: 'acme', role: 'reader', repos: null },
    { org: 'other', role: 'admin', repos: null },
  ])
  const verified = { email: 'ada@example.org', email_verified: true }
  t.match(await find({ groups: 'elsewhere-admins', ...verified }), [
    { org: 'acme', role: 'reader', repos: { patterns: ['satell*', 'weather*'] } },
  ])
  t.match(await find({ groups: [], ...verified }), [{ repos: { patterns: ['weather*'] } }])
  t.strictSame(await find({ groups: [], email: 'ada@example.org' }), [], 'an address that nobody has verified')
  t.strictSame(await find({ groups: [], email: 'ada@example.org', email_verified: 'true' }), [])
  t.strictSame(await find({ groups: ['data-admins-2', 'DATA-ADMINS'] }), [])
  t.strictSame(await find({ groups: { 'data-admins': true } }), [])
  t.strictSame(await find({ groups: [['data-admins'], 1, null] }), [])
  const scopes = await Promise.all([{ groups: 'readers' }, { groups: 'readers', sub: 'eve' }, {}].map(find))
  const [first, second, third] = scopes.map(([caller]) => caller?.scope)
  t.equal(first, second, 'callers who may do the same share cached answers')
  t.not(first, third)
})
