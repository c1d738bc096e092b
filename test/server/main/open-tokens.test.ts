import { t } from 'tap'
import { loadConfig } from '../../../server/main/configuration/load-config.ts'
import { openTokens } from '../../../server/main/open-tokens.ts'
import { FaultLog } from '../../../server/observation/fault-log.ts'
import { openLog } from '../../../server/observation/open-log.ts'
import { systemTiming } from '../../../server/timing.ts'

const baseUrl = 'https://floe.example.org/v1'
const parts = {
  timing: { ...systemTiming, dueNow: Date.now },
  faults: new FaultLog(systemTiming.elapsed, openLog('error', { destination: { write: () => {} } })),
}

t.test(
  'the service is an issuer beside the others if it exchanges keys, and reads only public documents',
  async (t) => {
    const open = async (auth: object) => openTokens(await loadConfig(undefined, {}, { baseUrl, auth }), parts, {})
    t.equal(await open({}), undefined)
    const tokens = await open({ exchangeKeys: true })
    t.match(tokens, { baseUrl, issuers: [baseUrl] })
    for (const host of ['127.0.0.1', '10.0.0.1', '[::1]']) {
      const refused = { name: 'IssuerError', message: /leads to an address/ }
      await t.rejects(async () => tokens?.exchange?.readClient(`https://${host}/`), refused)
    }
    const issuer = 'https://id.example.org'
    const rules = [{ claim: 'groups', value: 'all', org: 'acme', role: 'reader' }]
    const config = { baseUrl, orgs: { acme: {} }, auth: { issuers: [{ issuer, rules }], exchangeKeys: true } } as const
    const both = await openTokens(await loadConfig(undefined, {}, config as never), parts, {}) // as people write it
    t.strictSame(both?.issuers, [issuer, baseUrl])
  },
)
