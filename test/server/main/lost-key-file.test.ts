import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { t } from 'tap'
import { basic, fixtures } from '../start-server.ts'
import { askService } from './ask-service.ts'
import { serveConfig } from './commands/floe-process.ts'

const key = `floe_${'a'.repeat(16)}_${'a'.repeat(43)}`

t.test('without its key file the service says so, and saves no secret', async (t) => {
  const declared = { id: 'a'.repeat(16), sha256: createHash('sha256').update(key).digest('hex'), role: 'admin' }
  const config = {
    listen: { port: 0 },
    database: 'sqlite:floe.db',
    deployments: [{ name: 'tiles', org: 'acme', public: false }],
    orgs: { acme: { repositories: [{ scan: fixtures }], keys: [declared] } },
    notifications: { allowPrivateNetworks: ['127.0.0.0/8'] },
  }
  const cwd = t.testdir({ 'floe.yaml': JSON.stringify(config) })
  const { child, ended, origin } = await serveConfig(t, cwd)
  const url = `${origin}/v1/orgs/acme/repos/weather/receivers`
  const headers = { authorization: basic('acme', key), 'content-type': 'application/json' }
  const add = (alias: string) => {
    const body = { kind: 'webhook', alias, url: `https://127.0.0.1:9/${alias}`, events: ['NewCommit'] }
    return askService(url, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  t.equal((await add('one')).status, 201)
  await rm(join(cwd, 'floe.db.key'))
  const refused = await add('two')
  t.equal(refused.status, 503)
  const problem = await refused.text()
  t.match(JSON.parse(problem), { type: '/problems/unavailable', detail: /key that encrypts secrets cannot be read/ })
  t.notMatch(problem, cwd)
  t.match(await (await askService(url, { headers })).json(), { items: [{ alias: 'one' }] })
  child.kill('SIGTERM')
  t.match(await ended, { code: 0 })
})
