import { contract } from '@floe/contract'
import { listDeliveries, listReceivers, type ReceiverOwner } from '@floe/storage/database'
import { implement } from '../../http/contract.ts'
import { type Deployment, serves } from '../../deployment.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import type { PublicAddress } from '../../pages/public-address.ts'
import type { SettingsBundle } from './settings-bundle.ts'
import type { AdministrationContext } from '../administration-context.ts'
import { requireCaller } from '../../http/access/access-hook.ts'
import { orgSettingsPage, settingsPage } from './settings-pages.ts'

export type SettingsParts = {
  readonly address: PublicAddress
  readonly deployments: readonly Deployment[]
  /** Undefined if the pages have not been built. */
  readonly bundle: SettingsBundle | undefined
}

/** Number of deliveries that a page without script lists. */
const shownDeliveries = 20

export function makeSettingsRoutes(context: AdministrationContext, { address, deployments, bundle }: SettingsParts) {
  const requireBundle = () => {
    if (bundle) return bundle
    throw new RequestProblem('unavailable', 'The settings page has not been built; run `npm run build:pages`')
  }
  const readLists = async (owner: ReceiverOwner) => {
    const [receivers, deliveries] = await Promise.all([
      listReceivers(context.db, owner),
      listDeliveries(context.db, { ...owner, limit: shownDeliveries }),
    ])
    return { receivers, deliveries }
  }
  return {
    settings: implement(contract.settings, {
      page: async (call) => {
        const { params, request } = call
        const { org, repo } = params
        const lists = await readLists(await context.findOwner(call))
        // Undefined if no deployment serves the repository. Then there are no pages to link to.
        const deployment = deployments.find((candidate) => candidate.org === org && serves(candidate, repo))
        const coversAll = requireCaller(request).repos === null
        const body = settingsPage({ org, repo, coversAll, address, deployment, bundle: requireBundle(), lists })
        return { status: 200, body }
      },
    }),
    orgSettings: implement(contract.orgSettings, {
      page: async (call) => {
        const owner = await context.findOwner(call)
        const { org } = owner
        const lists = await readLists(owner)
        const repositories = (await context.catalogs.get(org)?.listNames()) ?? []
        const deployment = deployments.find((candidate) => candidate.org === org)
        const body = orgSettingsPage({ org, repositories, address, deployment, bundle: requireBundle(), lists })
        return { status: 200, body }
      },
    }),
  }
}
