// The settings page. The script in server/pages/settings/ renders the part below the heading.
import { contract } from '@floe/contract'
import { implement } from '../http/contract.ts'
import { type Deployment, serves } from '../http/access/deployment.ts'
import { RequestProblem } from '../http/problems/request-problem.ts'
import { html } from '../pages/html.ts'
import { layout, listDocumentationLinks, masthead } from '../pages/layout.ts'
import type { PublicAddress } from '../pages/public-address.ts'
import type { SettingsBundle } from './settings-bundle.ts'
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
      const { repo } = params
      await findRepository(context, params)
      if (!bundle) {
        throw new RequestProblem('unavailable', 'The settings page has not been built; run `npm run build:pages`')
      }
      // Without a deployment that serves the repository, there are no pages to link to.
      const deployment = deployments.find((one) => one.org === params.org && serves(one, repo))
      return { status: 200, body: settingsPage({ org: params.org, repo, address, deployment, bundle }) }
    },
  })
}

type SettingsPageData = {
  readonly org: string
  readonly repo: string
  readonly address: PublicAddress
  readonly deployment: Pick<Deployment, 'name'> | undefined
  readonly bundle: SettingsBundle
}

export function settingsPage({ org, repo, address, deployment, bundle }: SettingsPageData): string {
  const { v1, assetsRoot } = address
  const links = deployment && address.buildLinks(deployment.name, org)
  return layout({
    title: ['Settings', repo, org],
    stylesheet: `${assetsRoot}/settings/${bundle.stylesheet}`,
    scripts: [`${assetsRoot}/settings/${bundle.script}`],
    breadcrumbs: [
      { text: org, label: `Organisation ${org}`, ...(links && { href: links.home }) },
      { text: repo, label: `Repository ${repo}`, ...(links && { href: links.repository(repo) }) },
      { text: 'Settings' },
    ],
    ...(links && { home: links.home, footer: listDocumentationLinks(links) }),
    main: html`${masthead('Settings of the repository', repo)}
      <div class="settings" id="settings" data-v1="${v1}" data-org="${org}" data-repo="${repo}">
        <noscript><p class="note">This page needs JavaScript. Without it, use the API below ${v1}.</p></noscript>
      </div>`,
  })
}
