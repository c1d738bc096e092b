// The settings pages of a repository and of an organisation. The script in server/settings/ renders the part below the
// heading.
import type { Deployment } from '../../deployment.ts'
import { html, type Html } from '../../pages/html.ts'
import { layout, listDocumentationLinks, masthead } from '../../pages/layout.ts'
import { buildSettingsAddress } from '../../pages/page-links.ts'
import type { PublicAddress } from '../../pages/public-address.ts'
import type { SettingsBundle } from './settings-bundle.ts'
import { listsWithoutScript, type SettingsLists } from './lists-without-script.ts'

type PageData = {
  readonly org: string
  readonly address: PublicAddress
  /** A deployment whose pages the settings link to; undefined for no links. */
  readonly deployment: Pick<Deployment, 'name'> | undefined
  readonly bundle: SettingsBundle
  readonly lists: SettingsLists
}

type RepositoryPageData = PageData & {
  readonly repo: string
  /** Whether the administrator's key covers all repositories, so that it opens the page of the organisation too. */
  readonly coversAll: boolean
}

export function settingsPage({ repo, coversAll, ...data }: RepositoryPageData): string {
  const { org, address } = data
  const { links, frame } = makeFrame(data)
  const organisation = html`<nav class="views" aria-label="Other settings">
    <a href="${buildSettingsAddress(address.v1, org)}">Settings of the organisation</a>
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
    ${settingsElement(data, html`data-repo="${repo}"`)}`,
  })
}

type OrgPageData = PageData & { readonly repositories: readonly string[] }

export function orgSettingsPage({ repositories, ...data }: OrgPageData): string {
  const { frame } = makeFrame(data)
  return layout({
    ...frame,
    title: ['Settings', data.org],
    breadcrumbs: [...frame.breadcrumbs, { text: 'Settings' }],
    main: html`${masthead('Settings of the organisation', data.org)}
    ${settingsElement(data, data.address.account && html`data-sign-in`)} ${linkRepositories(data, repositories)}`,
  })
}

/** Makes the parts that both pages have: script, stylesheet, navigation and links. */
function makeFrame({ org, address, deployment, bundle }: PageData) {
  const { assetsRoot, account } = address
  const links = deployment && address.buildLinks(deployment.name, org)
  const frame = {
    account,
    stylesheet: `${assetsRoot}/settings/${bundle.stylesheet}`,
    scripts: [`${assetsRoot}/settings/${bundle.script}`],
    breadcrumbs: [{ text: org, label: `Organisation ${org}`, ...(links && { href: links.home }) }],
    ...(links && { home: links.home, footer: listDocumentationLinks(links) }),
  }
  return { links, frame }
}

/**
 * The element in which the script renders. Without `data-repo`, the script administers the organisation; `data-sign-in`
 * says that people can sign in.
 */
function settingsElement({ org, address: { v1 }, lists }: PageData, more?: Html): Html {
  return html`<div class="settings" id="settings" data-v1="${v1}" data-org="${org}" ${more}>
    <noscript>
      <p class="note">Changes need JavaScript. Without it, use the API below ${v1}.</p>
      ${listsWithoutScript(lists)}
    </noscript>
  </div>`
}

/** Maximum number of repositories that the page of an organisation links to. */
const maxLinks = 200

function linkRepositories({ org, address: { v1 } }: PageData, names: readonly string[]): Html {
  const unlinked = names.length - maxLinks
  return html`<details class="part repositories">
    <summary>
      <h2>Repositories <span>(${names.length})</span></h2>
    </summary>
    <nav class="views" aria-label="Settings of repositories">
      ${names.slice(0, maxLinks).map((name) => html`<a href="${buildSettingsAddress(v1, org, name)}">${name}</a>`)}
    </nav>
    ${unlinked > 0 && html`<p class="note">and ${unlinked} more: the page of each repository links to its settings</p>`}
  </details>`
}
