// The settings pages of a repository and of an organisation. The script in server/pages/settings/ renders the part below the heading.
import { contract } from '@floe/contract'
import { implement } from '../http/contract.ts'
import { type Deployment, serves } from '../http/access/deployment.ts'
import { RequestProblem } from '../http/problems/request-problem.ts'
import { html, type Html } from '../pages/html.ts'
import { layout, listDocumentationLinks, masthead } from '../pages/layout.ts'
import { addressSettings } from '../pages/page-links.ts'
import type { PublicAddress } from '../pages/public-address.ts'
import type { SettingsBundle } from './settings-bundle.ts'
import type { AdministrationContext } from './administration-context.ts'
import { requireCaller } from './audit.ts'
import { findRepository } from '../catalog/find-repository.ts'

export type SettingsParts = {
  readonly address: PublicAddress
  readonly deployments: readonly Deployment[]
  /** Undefined when it was not built. */
  readonly bundle: SettingsBundle | undefined
}

export function makeSettingsRoutes(context: AdministrationContext, { address, deployments, bundle }: SettingsParts) {
  const requireBundle = () => {
    if (bundle) return bundle
    throw new RequestProblem('unavailable', 'The settings page has not been built; run `npm run build:pages`')
  }
  return {
    settings: implement(contract.settings, {
      page: async ({ params, request }) => {
        const { org, repo } = params
        await findRepository(context, params)
        // Without a deployment that serves the repository, there are no pages to link to.
        const deployment = deployments.find((one) => one.org === org && serves(one, repo))
        const coversAll = requireCaller(request).repos === null
        const body = settingsPage({ org, repo, coversAll, address, deployment, bundle: requireBundle() })
        return { status: 200, body }
      },
    }),
    orgSettings: implement(contract.orgSettings, {
      page: async (call) => {
        const { org } = await context.findOwner(call)
        const repositories = (await context.catalogs.get(org)?.listNames()) ?? []
        const deployment = deployments.find((one) => one.org === org)
        const body = orgSettingsPage({ org, repositories, address, deployment, bundle: requireBundle() })
        return { status: 200, body }
      },
    }),
  }
}

type PageData = {
  readonly org: string
  readonly address: PublicAddress
  readonly deployment: Pick<Deployment, 'name'> | undefined
  readonly bundle: SettingsBundle
}

type RepositoryPageData = PageData & {
  readonly repo: string
  /** Whether the administrator's key covers all repositories, so that the page of the organisation opens with it. */
  readonly coversAll: boolean
}

export function settingsPage({ repo, coversAll, ...data }: RepositoryPageData): string {
  const { org, address } = data
  const { links, frame } = frameOf(data)
  const organisation = html`<nav class="views" aria-label="Other settings">
    <a href="${addressSettings(address.v1, org)}">Settings of the organisation</a>
  </nav>`
  return layout({
    ...frame,
    title: ['Settings', repo, org],
    breadcrumbs: [
      ...frame.breadcrumbs,
      { text: repo, label: `Repository ${repo}`, ...(links && { href: links.repository(repo) }) },
      { text: 'Settings' },
    ],
    main: html`${masthead('Settings of the repository', repo, coversAll ? organisation : undefined)}
    ${app(data, html`data-repo="${repo}"`)}`,
  })
}

type OrgPageData = PageData & { readonly repositories: readonly string[] }

export function orgSettingsPage({ repositories, ...data }: OrgPageData): string {
  const { frame } = frameOf(data)
  return layout({
    ...frame,
    title: ['Settings', data.org],
    breadcrumbs: [...frame.breadcrumbs, { text: 'Settings' }],
    main: html`${masthead('Settings of the organisation', data.org)} ${app(data)}
    ${linkRepositories(data, repositories)}`,
  })
}

function frameOf({ org, address, deployment, bundle }: PageData) {
  const { assetsRoot } = address
  const links = deployment && address.buildLinks(deployment.name, org)
  const frame = {
    stylesheet: `${assetsRoot}/settings/${bundle.stylesheet}`,
    scripts: [`${assetsRoot}/settings/${bundle.script}`],
    breadcrumbs: [{ text: org, label: `Organisation ${org}`, ...(links && { href: links.home }) }],
    ...(links && { home: links.home, footer: listDocumentationLinks(links) }),
  }
  return { links, frame }
}

/** Where the script renders. Without `data-repo`, it administers the organisation. */
function app({ org, address: { v1 } }: PageData, repo?: Html): Html {
  return html`<div class="settings" id="settings" data-v1="${v1}" data-org="${org}" ${repo}>
    <noscript><p class="note">This page needs JavaScript. Without it, use the API below ${v1}.</p></noscript>
  </div>`
}

/** Most repositories that the page of an organisation links to. */
const maxLinks = 200

function linkRepositories({ org, address: { v1 } }: PageData, names: readonly string[]): Html {
  const others = names.length - maxLinks
  return html`<details class="part repositories">
    <summary>
      <h2>Repositories <span>(${names.length})</span></h2>
    </summary>
    <nav class="views" aria-label="Settings of repositories">
      ${names.slice(0, maxLinks).map((name) => html`<a href="${addressSettings(v1, org, name)}">${name}</a>`)}
    </nav>
    ${others > 0 && html`<p class="note">and ${others} more: the page of each repository links to its settings</p>`}
  </details>`
}
