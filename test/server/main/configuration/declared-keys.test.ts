import { createHash } from 'node:crypto'
import { t } from 'tap'
import { listDeclaredKeys } from '../../../../server/main/configuration/declared-keys.ts'
import { loadConfig } from '../../../../server/main/configuration/load-config.ts'

const id = '0123456789abcdef'
const bootstrap = `floe_${id}_${'x'.repeat(43)}`
const sha256 = 'ab'.repeat(32)

const load = (orgs: string, key = '') => loadConfig(undefined, { FLOE_ORGS: orgs, FLOE_BOOTSTRAP_ADMIN_KEY: key }, {})

t.test('keys are declared by hash, with what they are limited to', async (t) => {
  const limits = 'repos: [weather], expires: "2027-01-31T00:00:00Z"'
  const config = await load(`
    acme: { keys: [{ id: ${id}, name: Tile server, sha256: ${sha256}, role: reader, ${limits} }] }
    other: { keys: [{ id: ffffffffffffffff, sha256: ${sha256}, role: admin }] }
  `)
  t.strictSame(listDeclaredKeys(config), [
    {
      id,
      org: 'acme',
      name: 'Tile server',
      role: 'reader',
      repos: ['weather'],
      expiresAt: new Date('2027-01-31T00:00:00Z'),
      sha256: Buffer.from(sha256, 'hex'),
      isBootstrap: false,
    },
    {
      id: 'ffffffffffffffff',
      org: 'other',
      name: null,
      role: 'admin',
      repos: null,
      expiresAt: null,
      sha256: Buffer.from(sha256, 'hex'),
      isBootstrap: false,
    },
  ])
})

t.test('the first key is of an administrator of the only organisation', async (t) => {
  const sha256 = createHash('sha256').update(bootstrap).digest()
  t.strictSame(listDeclaredKeys(await load('acme: {}', bootstrap)), [
    {
      id,
      org: 'acme',
      name: 'bootstrapAdminKey',
      role: 'admin',
      repos: null,
      expiresAt: null,
      sha256,
      isBootstrap: true,
    },
  ])
})

t.test('a first key that cannot be used stops the start, and is not shown', async (t) => {
  const cases: readonly (readonly [orgs: string, key: string, message: RegExp])[] = [
    ['acme: {}', `${bootstrap}x`, /bootstrapAdminKey: must be an API key; make one with: .*openssl rand/],
    ['acme: {}', `'${bootstrap}`, /FLOE_BOOTSTRAP_ADMIN_KEY is not YAML/],
    ['acme: {}', `*${bootstrap}`, /FLOE_BOOTSTRAP_ADMIN_KEY is not YAML/],
    ['{}', bootstrap, /needs one organisation/],
    ['{ acme: {}, other: {} }', bootstrap, /needs one organisation/],
    [`acme: { keys: [{ id: ${id}, sha256: ${sha256}, role: reader }] }`, bootstrap, /orgs\.acme\.keys declares/],
  ]
  for (const [orgs, key, message] of cases) {
    const failure: unknown = await load(orgs, key)
      .then(listDeclaredKeys)
      .catch((error: unknown) => error)
    t.match(failure, { name: 'ConfigError', message }, `${orgs} ${key}`)
    t.notMatch(String(failure), 'xxxx')
  }
})

t.test('the recipe of the message makes a key', async (t) => {
  const { execFileSync } = await import('node:child_process')
  const failure: unknown = await load('acme: {}', 'secret').catch((error: unknown) => error)
  const recipe = /make one with: (.*)$/m.exec(String(failure))?.[1] ?? ''
  const made = execFileSync('sh', ['-c', recipe], { encoding: 'utf8' }).trim()
  t.match(listDeclaredKeys(await load('acme: {}', made)), [{ role: 'admin' }])
})

t.test('declarations that make no sense are refused with their place', async (t) => {
  const writeKey = (more: string) => `acme: { keys: [{ id: ${id}, sha256: ${sha256}, role: reader, ${more} }] }`
  const readerKey = `{ id: ${id}, sha256: ${sha256}, role: reader }`
  const cases: Record<string, RegExp> = {
    [writeKey('sha256: abcd')]: /is not YAML/,
    [`acme: { keys: [{ id: ${id}, sha256: abcd, role: reader }] }`]: /keys\.0\.sha256: must be the SHA-256/,
    [`acme: { keys: [{ id: acme, sha256: ${sha256}, role: reader }] }`]: /keys\.0\.id: must be the id/,
    [writeKey('expires: 30d')]: /keys\.0\.expires: must be a time/,
    [writeKey('repos: []')]: /keys\.0\.repos/,
    [writeKey('repo: weather')]: /keys\.0: .*repo/,
    [`{ acme: { keys: [${readerKey}] }, other: { keys: [${readerKey}] } }`]:
      /orgs\.other\.keys\.0\.id: is the id of another/,
  }
  for (const [orgs, message] of Object.entries(cases)) {
    await t.rejects(load(orgs), { name: 'ConfigError', message }, orgs)
  }
})
