import { contract } from '@floe/contract'
import { implement } from '../http/contract.ts'
import type { Deployment } from '../http/access/deployment.ts'
import { RequestProblem } from '../http/problems/request-problem.ts'
import type { PublicAddress } from '../pages/public-address.ts'
import type { SettingsBundle } from './settings-bundle.ts'
import { settingsPage } from './settings-page.ts'
import type { AdministrationContext } from './administration-context.ts'
import { findRepository } from '../catalog/find-repository.ts'

export type SettingsParts = {
  readonly address: PublicAddress
  readonly deployments: readonly Deployment[]
  /** Undefined when it was not built. */
  readonly bundle: SettingsBundle | undefined
}

export function makeSettingsRoutes(context: AdministrationContext, { address, deployments, bundle }: SettingsParts) {
  return implement(contract.settings, {
    page: async ({ params }) => {
      const { name: repo } = await findRepository(context, params)
      if (!bundle) {
        throw new RequestProblem('unavailable', 'The settings page has not been built; run `npm run build:pages`')
      }
      const deployment = deployments.find(({ org }) => org === params.org)
      const body = settingsPage({
        org: params.org,
        repo,
        v1: address.v1,
        script: `${address.assetsRoot}/settings/${bundle.script}`,
        stylesheet: `${address.assetsRoot}/settings/${bundle.stylesheet}`,
        links: deployment && address.buildLinks(deployment.name, params.org),
      })
      return { status: 200, body }
    },
  })
}
