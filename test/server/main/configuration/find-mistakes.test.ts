import { t } from 'tap'
import type { FoundRepositories } from '../../../../server/catalog/catalog.ts'
import { findMistakes } from '../../../../server/main/configuration/find-mistakes.ts'
import { loadConfig } from '../../../../server/main/configuration/load-config.ts'
import type { ConfigInput } from '../../../../server/main/configuration/schema.ts'

const names = ['satellite', 'weather']
const complete: FoundRepositories = { names, isComplete: true, emptyLocations: [] }
const key = { id: '0123456789abcdef', sha256: '0'.repeat(64), role: 'reader' } as const
const hook = { org: 'acme', url: 'https://example.org/', alias: 'a' }

const config: ConfigInput = {
  orgs: { acme: { repositories: [{ scan: './repos' }], keys: [{ ...key, repos: ['weather', 'satelite'] }] } },
  deployments: [
    { name: 'one', org: 'acme' },
    { name: 'two', org: 'acme', repos: ['w*', 'wether'] },
  ],
  notifications: {
    webhooks: [
      { ...hook, repo: 'weather' },
      { ...hook, repo: 'waether' },
      { ...hook, repos: ['**', 'sat*', 'wether*'] },
    ],
    chats: [{ ...hook, repo: 'radar', url: 'https://hooks.slack.com/services/x' }],
  },
}

async function list(input: ConfigInput, found = complete, environment: Record<string, string> = {}) {
  const mistakes = findMistakes(await loadConfig(undefined, {}, input), environment, new Map([['acme', found]]))
  return [...mistakes].map(({ setting, problem }) => `${setting}: ${problem}`)
}

t.test('a client at an issuer without its secret is told', async (t) => {
  const rules = [{ claim: 'groups', value: 'data', org: 'acme', role: 'reader' as const }]
  const issuers = [
    { issuer: 'https://a.example.org', rules },
    { issuer: 'https://b.example.org', rules, clientId: 'floe' },
  ]
  const start = { baseUrl: 'https://floe.example.org/v1', orgs: { acme: { repositories: [{ scan: './repos' }] } } }
  t.strictSame(await list({ ...start, auth: { issuers } }), [
    'auth.issuers.1.clientId: nobody can sign in to pages without the secret of this client; set FLOE_AUTH_CLIENT_SECRET',
  ])
  t.strictSame(await list({ ...start, auth: { issuers, clientSecret: 'only for tests' } }), [])
})

t.test('each repository that no source has is told, with the name that may be meant', async (t) => {
  t.strictSame(await list(config), [
    'orgs.acme.keys.0.repos: acme has no repository called satelite; did you mean satellite?',
    'notifications.webhooks.1.repo: acme has no repository called waether; did you mean weather?',
    'notifications.webhooks.2.repos: acme has no repository that wether* matches; did you mean weather?',
    'notifications.chats.0.repo: acme has no repository called radar',
    'deployments.1.repos: acme has no repository that wether matches; did you mean weather?',
  ])
})

t.test('while a source is away, nothing is said about the repositories that it may have', async (t) => {
  t.strictSame(await list(config, { ...complete, isComplete: false }), [])
})

t.test('a scan that finds nothing and an organisation without repositories are told', async (t) => {
  const { orgs } = config
  t.strictSame(
    await list({ orgs: { ...orgs, acmee: {} } }, { names: [], isComplete: true, emptyLocations: ['/repos'] }),
    [
      'orgs.acme.repositories: there is no repository directly below /repos',
      'orgs.acme.keys.0.repos: acme has no repository called weather',
      'orgs.acme.keys.0.repos: acme has no repository called satelite',
      'orgs.acmee: no source serves the organisation acmee: it has no repositories; did you mean acme?',
    ],
  )
  await t.rejects(list({ orgs: { acme: {} }, deployments: [{ name: 'tiles', org: 'acne' }] }), {
    message: /names the organisation acne, which "orgs" does not have; did you mean acme\?/,
  })
})

t.test('variables that nothing reads are told, and those of commands and of Kubernetes are not', async (t) => {
  const environment = {
    FLOE_LISTEN_PORT: '1',
    FLOE_LISTN_PORT: '1',
    FLOE_ZEBRA: 'yes',
    FLOE_API_KEY: 'floe_x',
    FLOE_SIGNING_SECRET: 'whsec_x',
    FLOE_SECRET_TOKEN: 'x',
    FLOE_EMPTY: '',
    FLOE_SERVICE_HOST: '10.0.0.1',
    FLOE_SERVICE_PORT_HTTP: '80',
    FLOE_PORT: 'tcp://10.0.0.1:80',
    FLOE_PORT_80_TCP_ADDR: '10.0.0.1',
    FLOE_DB_SERVICE_HOST: '10.0.0.2',
    FLOE_DB_PORT: 'tcp://10.0.0.2:5432',
    OTHER: 'x',
  }
  const none = { orgs: {} }
  t.strictSame(await list(none, complete, environment), [
    'FLOE_LISTN_PORT: nothing reads this variable; did you mean FLOE_LISTEN_PORT?',
    'FLOE_ZEBRA: nothing reads this variable',
  ])
  t.match(await list(none, complete, { FLOE_PORT: '8080' }), [/^FLOE_PORT: nothing reads this variable/])
})
