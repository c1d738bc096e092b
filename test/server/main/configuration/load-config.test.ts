import { join } from 'node:path'
import { inspect } from 'node:util'
import { defaultFilter } from '@floe/contract/lists'
import { t } from 'tap'
import { listConfigKeys, loadConfig } from '../../../../server/main/configuration/load-config.ts'

t.test('without anything said, the defaults hold', async (t) => {
  t.strictSame(await loadConfig(undefined, {}, {}), {
    listen: { host: '127.0.0.1', port: 8080, trustProxy: [] },
    baseUrl: null,
    database: 'sqlite:.floe/floe.db',
    listenUrl: null,
    deployments: [],
    cors: { origins: [] },
    orgs: {},
    bootstrapAdminKey: null,
    auth: { issuers: [], exchangeKeys: false, clientSecret: null },
    operators: [],
    encryptionKey: null,
    notifications: {
      pollInterval: 10_000,
      allowPrivateNetworks: [],
      allowHttpLoopback: false,
      extraCaFile: null,
      proxy: null,
      clientCertificates: [],
      brokers: [],
      webhooks: [],
      chats: [],
    },
    expectations: [],
    cache: { maxBytes: 256_000_000, refMaxAge: 1_000 },
    search: { enabled: true, branches: [] },
    log: { level: 'info' },
    metrics: { listen: { host: '127.0.0.1', port: null } },
    tracing: { endpoint: null },
    limits: {
      metadataPerMinute: null,
      streams: 1_000,
      streamsPerCaller: 100,
      maxObjectBytes: 67_108_864,
      maxSnapshotBytes: 100_663_296,
      maxNodes: 250_000,
      maxScanned: 100_000,
    },
  })
})

t.test('flags win over variables, variables over the file', async (t) => {
  const file = join(
    t.testdir({ 'floe.yaml': 'listen: { host: 0.0.0.0, port: 1 }\ncache: { maxBytes: 1GiB, refMaxAge: 500ms }\n' }),
    'floe.yaml',
  )
  const environment = { FLOE_LISTEN_PORT: '2', FLOE_CACHE_REF_MAX_AGE: '2s', FLOE_UNRELATED: 'x' }
  t.match(await loadConfig(file, environment, { listen: { port: 3 } }), {
    listen: { host: '0.0.0.0', port: 3 },
    cache: { maxBytes: 1_073_741_824, refMaxAge: 2_000 },
  })
})

t.test('a variable can hold a list', async (t) => {
  const environment = {
    FLOE_DEPLOYMENTS: '[{ name: tiles, org: acme }]',
    FLOE_ORGS: '{ acme: { repositories: [{ scan: ./repos }] } }',
  }
  t.match(await loadConfig(undefined, environment, {}), {
    deployments: [{ name: 'tiles', org: 'acme', public: false, repos: ['**'] }],
    orgs: { acme: { repositories: [{ scan: './repos' }] } },
  })
  const noPattern = { FLOE_ORGS: '{ acme: {} }', FLOE_DEPLOYMENTS: '[{ name: tiles, org: acme, repos: [] }]' }
  await t.rejects(loadConfig(undefined, noPattern, {}), { message: /deployments\.0\.repos: / })
})

t.test('a text in a variable needs no quotes, even if it is YAML for something else', async (t) => {
  const environment = { FLOE_LISTEN_HOST: '::', FLOE_DATABASE: '"sqlite:quoted.db"' }
  t.match(await loadConfig(undefined, environment, {}), { listen: { host: '::' }, database: 'sqlite:quoted.db' })
})

t.test('an error says which variables are in force beside the file', async (t) => {
  const file = join(t.testdir({ 'floe.yaml': 'listen: { port: 8080 }\n' }), 'floe.yaml')
  const message = /floe\.yaml with FLOE_LISTEN_PORT cannot be used:\n {2}listen\.port: must be a number$/
  await t.rejects(loadConfig(file, { FLOE_LISTEN_PORT: 'many' }, {}), { name: 'ConfigError', message })
})

t.test('how a store is reached stands beside its location', async (t) => {
  const yaml = `orgs:
  acme:
    repositories:
      - { scan: s3://bucket/repos, region: eu-north-1, endpoint: https://minio.example.org, pathStyle: true }
      - { name: era5, location: s3://bucket/era5, region: us-east-1, anonymous: true }
      - { name: gfs, location: az://container/gfs, account: acme }
`
  const file = join(t.testdir({ 'floe.yaml': yaml }), 'floe.yaml')
  const { orgs } = await loadConfig(file, {}, {})
  t.strictSame(orgs['acme']?.repositories, [
    { scan: 's3://bucket/repos', region: 'eu-north-1', endpoint: 'https://minio.example.org', pathStyle: true },
    { name: 'era5', location: 's3://bucket/era5', region: 'us-east-1', anonymous: true },
    { name: 'gfs', location: 'az://container/gfs', account: 'acme' },
  ])
})

t.test('metrics may have the port of the service at another address, and names may repeat elsewhere', async (t) => {
  const yaml = `listen: { host: 10.0.0.1, port: 9090 }
metrics: { listen: { host: 127.0.0.1, port: 9090 } }
deployments: [{ name: a, org: acme }, { name: a, org: umbrella }]
orgs:
  acme: { repositories: [{ name: a, location: x }] }
  umbrella: { repositories: [{ name: a, location: y }] }
`
  const file = join(t.testdir({ 'floe.yaml': yaml }), 'floe.yaml')
  t.match(await loadConfig(file, {}, {}), { metrics: { listen: { port: 9_090 } }, deployments: { length: 2 } })
})

t.test('every key outside lists has a variable', async (t) => {
  const isMapping = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
  const listPaths = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
    isMapping(value) ? Object.entries(value).flatMap(([key, member]) => listPaths(member, [...path, key])) : [path]
  t.strictSame(listConfigKeys(), listPaths(await loadConfig(undefined, {}, {})))
})

// Proves: `{base_url}` ends in `/v1`
t.test('an invalid setting is refused with its key and the expected value', async (t) => {
  const webhook = 'org: acme, repo: r, alias: a, url: "https://example.org"'
  const key = `id: 0123456789abcdef, sha256: ${'0'.repeat(64)}, role: admin`
  const issuer = 'issuer: "https://id.example.org"'
  const rule = '{ claim: groups, value: data-admins, org: acme, role: admin }'
  const cases: Record<string, RegExp> = {
    'listen: { prot: 8080 }': /listen: has unknown members: prot; did you mean port\?$/,
    'listen: { port: many }': /listen\.port: .*number/,
    'limits: { metadataPerMinute: 0 }': /limits\.metadataPerMinute: .*1/,
    'cache: { maxBytes: 5 bytes }': /cache\.maxBytes: must be a size/,
    [`orgs: { acme: {} }\nnotifications: { webhooks: [{ ${webhook}, headers: { Host: x } }] }`]:
      /notifications\.webhooks\.0\.headers\.Host: is a header that Floe or the connection sets/,
    [`orgs: { acme: {} }\nnotifications: { webhooks: [{ ${webhook}, compatibility: [identical] }] }`]:
      /notifications\.webhooks\.0\.compatibility\.0: .*breaking/,
    'notifications: { proxy: socks5://proxy.test }':
      /notifications\.proxy: must be the address of an HTTP proxy, such as/,
    'notifications: { proxy: "http://floe:hush@proxy.test/path" }': /notifications\.proxy: (?:(?!hush).)*$/,
    'notifications: { proxy: proxy.test:3128 }': /notifications\.proxy: .*, or environment, or null$/,
    'notifications: { proxy: true }': /notifications\.proxy: /,
    'listen: { trustProxy: [proxy] }': /listen\.trustProxy\.0: must be a network/,
    'baseUrl: https://floe.example.org': /baseUrl: must end in \/v1/,
    'listen: { port: 65536 }': /listen\.port: must be a port, from 0 to 65535$/,
    'listen: { port: -1 }': /listen\.port: must be a port, from 0 to 65535$/,
    'metrics: { listen: { port: 0 } }': /metrics\.listen\.port: must be a port, from 1 to 65535$/,
    'orgs: { Acme Corp: {} }': /orgs\.Acme Corp: must be 1 to 63 letters, digits/,
    'database: floe.db': /database: must be sqlite:FILE or postgres:\/\/\.\.\.$/,
    'database: "sqlite:"': /database: must be sqlite:FILE/,
    'database: "mysql://floe:hush@db.example.org/floe"': /database: (?:(?!hush).)*$/,
    'listenUrl: db.example.org': /listenUrl: must be the address postgres:\/\//,
    'listenUrl: "postgres://db.example.org/floe"': /listenUrl: .*"database" is a SQLite file/,
    'cors: { origins: ["https://app.example.org/"] }': /cors\.origins\.0: must be an origin such as/,
    'cors: { origins: ["*"] }': /cors\.origins\.0: must be an origin/,
    'cors: { origins: [app.example.org] }': /cors\.origins\.0: must be an origin/,
    'cors: { origins: ["ftp://app.example.org"] }': /cors\.origins\.0: must be an origin/,
    [`auth: { issuers: [{ ${issuer}, rules: [${rule}] }] }\norgs: { acme: {} }`]: /auth\.issuers: need "baseUrl"/,
    [`baseUrl: https://floe.example.org/v1\nauth: { issuers: [{ ${issuer}, rules: [${rule}] }] }`]:
      /auth\.issuers\.0\.rules\.0\.org: names the organisation acme/,
    [`auth: { issuers: [{ issuer: "http://id.example.org", rules: [${rule}] }] }`]:
      /auth\.issuers\.0\.issuer: must be an address https/,
    'auth: { exchangeKeys: true }': /auth\.exchangeKeys: needs "baseUrl" with https/,
    'baseUrl: http://floe.example.org/v1\nauth: { exchangeKeys: true }':
      /auth\.exchangeKeys: needs "baseUrl" with https/,
    [`auth: { issuers: [{ ${issuer}, rules: [] }] }`]: /auth\.issuers\.0\.rules: /,
    'notifications: { brokers: [{ org: acme, kind: sqs, url: https://sqs.example.org }] }':
      /notifications\.brokers\.0\.org: names the organisation acme/,
    'notifications: { brokers: [{ org: acme, kind: kafka, url: "https://**" }] }':
      /notifications\.brokers\.0\.kind: .*sqs(?:.|\n)*brokers\.0\.url: must begin with https/,
    [`baseUrl: http://floe.example.org/v1\nauth: { issuers: [{ ${issuer}, clientId: floe, rules: [${rule}] }] }`]:
      /auth\.issuers\.0\.clientId: needs a "baseUrl" https/,
    [`auth: { issuers: [{ ${issuer}, clientId: a, rules: [${rule}] }, { issuer: "https://b.example", clientId: b, rules: [${rule}] }] }`]:
      /auth\.issuers\.1\.clientId: is given to two issuers/,
    'deployments: [{ name: tiles, org: acme }]': /deployments\.0\.org: names the organisation acme/,
    'orgs: { acme: {} }\ndeployments: [{ name: a, org: acme }, { name: a, org: acme, public: true }]':
      /deployments\.1\.name: is the name of another deployment of the organisation$/,
    'orgs: { acme: { repositories: [{ name: a, location: x }, { name: a, location: y }] } }':
      /orgs\.acme\.repositories\.1\.name: is the name of another repository of the organisation$/,
    'listen: { port: 9090 }\nmetrics: { listen: { port: 9090 } }': /metrics\.listen\.port: is also "listen\.port"/,
    'listen: { host: 0.0.0.0, port: 9090 }\nmetrics: { listen: { port: 9090 } }': /metrics\.listen\.port: is also/,
    'orgs: { acme: { repositories: [{ scam: ./repos }] } }':
      /orgs\.acme\.repositories\.0: scan: is required; has unknown members: scam; did you mean scan\?$/,
    'orgs: { acme: { repositories: [{ name: a, location: b, region: 5 }] } }':
      /orgs\.acme\.repositories\.0: region: must be a text$/,
    'orgs: { acme: { repositories: [{ scan: b, anonymous: 5 }] } }':
      /repositories\.0: anonymous: must be true or false$/,
    'orgs: { acme: { repositories: [./repos] } }': /repositories\.0: must be an object$/,
    'orgs: { acme: { repositories: [{ scan: s3://b, path_style: true }] } }': /repositories\.0: .*path_style/,
    'orgs: { acme: { repositories: [{ scan: s3://b, endpoint: minio }] } }': /repositories\.0\.endpoint: Invalid URL/,
    'notifications: { pollInterval: 100ms }': /notifications\.pollInterval: must be at least 1s/,
    'notifications: { allowPrivateNetworks: [10.0.0.1] }': /allowPrivateNetworks\.0: .*not a network/,
    'notifications: { webhooks: [{ org: acme, repo: r, alias: a, url: "http://example.org" }] }':
      /webhooks\.0\.url: must start with https/,
    'notifications: { webhooks: [{ org: acme, repo: r, alias: a, url: "https://localhost:8443" }] }':
      /webhooks\.0\.url: must not name the machine that Floe runs on, unless .* notifications\.allowPrivateNetworks/,
    'notifications: { webhooks: [{ org: acme, repo: r, alias: a, url: "https://10.0.0.1" }] }':
      /webhooks\.0\.url: must not lead to .* private .*, unless the setting notifications\.allowPrivateNetworks/,
    'notifications: { webhooks: [{ org: acme, repo: r, alias: a, url: "https://example.org", signingSecret: hush }] }':
      /webhooks\.0\.signingSecret: must be "whsec_" and the base64 of 24 to 64 bytes\n/,
    [`notifications: { webhooks: [{ ${webhook}, events: [NewCommit, NewCommit] }] }`]: /webhooks\.0\.events: /,
    [`orgs: { acme: { keys: [{ ${key}, expires: "9999-12-31T23:59:59-01:00" }] } }`]:
      /keys\.0\.expires: must be in the year 9999/,
    'notifications: { webhooks: [{ org: acme, alias: a, url: "https://example.org" }] }':
      /notifications\.webhooks\.0\.repo: is missing; patterns in "repos" select repositories of the organisation/,
    'notifications: { webhooks: [{ org: acme, repo: r, repos: ["*"], alias: a, url: "https://example.org" }] }':
      /webhooks\.0\.repos: is only for webhooks and chats of an organisation/,
    'notifications: { webhooks: [{ org: acme, repo: r, search: { q: a }, alias: a, url: "https://example.org" }] }':
      /webhooks\.0\.search: is only for webhooks and chats of an organisation/,
    'notifications: { chats: [{ org: acme, repos: ["*"], search: { bbox: "1,2" }, alias: a, url: "https://a.example.org" }] }':
      /notifications\.chats\.0\.search: bbox must be west,south,east,north/,
    'notifications: { chats: [{ org: acme, repos: ["*"], search: { unit: [K] }, alias: a, url: "https://a.example.org" }] }':
      /notifications\.chats\.0\.search.*unit/,
    [`notifications: { webhooks: [{ ${webhook}, events: [ReceiverFailing] }] }`]:
      /notifications\.webhooks\.0\.events: must not name ReceiverDisabled/,
    [`notifications: { webhooks: [{ ${webhook}, severity: fatal }] }`]: /webhooks\.0\.severity: .*critical/,
    'notifications: { webhooks: [{ org: acme, repo: r, alias: a, url: "https://a.example.org", digest: { at: "07:30" } }] }':
      /notifications\.webhooks\.0.*digest/,
    'notifications: { chats: [{ org: acme, repo: r, alias: a, url: "https://a.example.org", digest: { at: "7:30", every: day } }] }':
      /notifications\.chats\.0\.digest\.at: must be a time such as "07:30"/,
    'notifications: { chats: [{ org: acme, repo: r, alias: a, url: "https://chat.example.org/x", service: irc }] }':
      /chats\.0\.service: /,
    'just text': /must be a mapping/,
    'listen: [': /is not YAML/,
    'orgs: { acme: *shared }': /is not YAML: Unresolved alias .*: shared$/,
    [`a: &a [${'1,'.repeat(20)}]\nb: &b [${'*a,'.repeat(20)}]\nc: [${'*b,'.repeat(20)}]`]:
      /is not YAML: Excessive alias count/,
    'database: !env DATABASE': /is not YAML: Unresolved tag: !env at line 1, column 11$/,
    'notifications: { pollInterval: 10 }': /notifications\.pollInterval: must be a duration/,
    'cache: { maxBytes: 1000000 }': /cache\.maxBytes: must be a size/,
  }
  for (const [yaml, message] of Object.entries(cases)) {
    const file = join(t.testdir({ 'floe.yaml': yaml }), 'floe.yaml')
    await t.rejects(loadConfig(file, {}, {}), { name: 'ConfigError', message }, yaml)
  }
  const secret = join(t.testdir({ 'secret.yaml': 'encryptionKey: "hush' }), 'secret.yaml')
  const error = await loadConfig(secret, {}, {}).catch((thrown: unknown) => thrown)
  t.match(error, { name: 'ConfigError', message: /secret\.yaml is not YAML: .* at line 1, column \d+$/ })
  t.notMatch(inspect(error), 'hush', 'the line may hold a secret')
  // Variables are read as the file is.
  const orgs = '{ __proto__: { repositories: [] } }'
  const inFile = join(t.testdir({ 'orgs.yaml': `orgs: ${orgs}` }), 'orgs.yaml')
  for (const [file, environment] of [
    [inFile, {}],
    [undefined, { FLOE_ORGS: orgs }],
  ] as const)
    await t.rejects(loadConfig(file, environment, {}), { name: 'ConfigError', message: /: __proto__ is not a name$/ })
  await t.rejects(loadConfig(undefined, { FLOE_DATABASE: '!env DATABASE' }, {}), {
    name: 'ConfigError',
    message: 'FLOE_DATABASE is not YAML',
  })
  await t.rejects(loadConfig('/no/such/floe.yaml', {}, {}), { name: 'ConfigError', message: /no such file/ })
})

t.test('a declared receiver has the settings of the file, and defaults for the others', async (t) => {
  const common = 'org: acme, repo: r, url: "https://a.example.org", severity: warning'
  const file = join(
    t.testdir({
      'floe.yaml': `orgs: { acme: {} }
notifications:
  webhooks: [{ ${common}, alias: a, repos: null, includeChanges: true, format: cloudevents-binary }]
  chats: [{ ${common}, alias: b, quiet: { from: "20:00", to: "07:00" } }]`,
    }),
    'floe.yaml',
  )
  const { notifications } = await loadConfig(file, {}, {})
  const ofBoth = { ...defaultFilter, severity: 'warning' }
  t.strictSame(
    notifications.webhooks.map(({ filter }) => filter),
    [{ ...ofBoth, include_changes: true, format: 'cloudevents-binary' }],
  )
  t.strictSame(
    notifications.chats.map(({ filter }) => filter),
    [{ ...ofBoth, quiet: { from: '20:00', to: '07:00' } }],
  )
})
