import { t } from 'tap'
import { loadConfig } from '../../../../server/main/configuration/load-config.ts'
import type { ConfigInput } from '../../../../server/main/configuration/schema.ts'
import { planReload } from '../../../../server/main/configuration/reloader.ts'

const key = { id: '0123456789abcdef', sha256: 'a'.repeat(64), role: 'reader' } as const
const start: ConfigInput = {
  listen: { port: 8080 },
  encryptionKey: Buffer.alloc(32, 7).toString('base64'),
  orgs: { acme: { repositories: [{ scan: './here' }], keys: [{ ...key, expires: '2030-01-01T00:00:00Z' }] } },
}
const load = (config: ConfigInput) => loadConfig(undefined, {}, config)

t.test('a configuration that says the same changes nothing', async (t) => {
  t.match(planReload(await load(start), await load(start)), { changed: [], needRestart: [] })
})

t.test('what changes now and what needs a restart are told apart, without values', async (t) => {
  const webhook = { org: 'acme', repo: 'weather', url: 'https://example.org/hush-hush', alias: 'hook' }
  const expectation = { org: 'acme', repo: '**', kind: 'freshness' as const, maxAge: '6h' }
  const current = await load(start)
  const next = await load({
    ...start,
    listen: { port: 9090 },
    encryptionKey: Buffer.alloc(32, 8).toString('base64'),
    orgs: { acme: { repositories: [{ scan: './there' }], keys: [key] }, other: {} },
    deployments: [{ name: 'tiles', org: 'other' }],
    notifications: { webhooks: [webhook], pollInterval: '20s' },
    expectations: [expectation],
    limits: { streams: 5, maxNodes: 7 },
    baseUrl: 'https://floe.example.org/v1',
    auth: {
      issuers: [
        {
          issuer: 'https://id.example.org',
          rules: [{ claim: 'groups', value: 'data', org: 'acme', role: 'admin' as const }],
        },
      ],
      clientSecret: 'hush-hush',
    },
  })
  const { config, changed, needRestart } = planReload(current, next)
  t.strictSame([...changed].sort(), [
    'expectations',
    'limits.maxNodes',
    'limits.streams',
    'notifications.webhooks',
    'orgs.acme.keys',
    'orgs.acme.repositories',
    'orgs.other',
  ])
  t.strictSame([...needRestart].sort(), [
    'auth.clientSecret',
    'auth.issuers',
    'baseUrl',
    'deployments',
    'encryptionKey',
    'listen.port',
    'notifications.pollInterval',
  ])
  t.match(config, { listen: { port: 8080 }, limits: { streams: 5, maxNodes: 7 }, deployments: [] })

  const again = planReload(config, next)
  t.strictSame(again.changed, [])
  t.strictSame(again.needRestart, needRestart, 'it is said again until the restart')
})
