// The page about a failed request, and the page about a kind of error.
import type { Problem } from '@floe/contract'
import { html, type Html } from './html.ts'
import { type AccountLink, layout, masthead } from './layout.ts'
import type { PageLinks } from './page-links.ts'

type DeploymentLinks = PageLinks & {
  readonly org: string
  /** The repository in the address, if one is. It need not exist. */
  readonly repo: string | undefined
  readonly hasSearch: boolean
}

/** The links of the deployment that the request was for; only the stylesheet when it was for none. */
export type ProblemLinks = (DeploymentLinks | { readonly stylesheet: string }) & {
  readonly account?: AccountLink | undefined
  /** Path of the service, which belongs in front of `type`; empty unless a proxy adds one. */
  readonly root: string
}

/** The page about a failed request. */
export function problemPage(problem: Problem, links: ProblemLinks): string {
  const { status, title, detail, instance, errors = [] } = problem
  const advice = adviceByStatus.get(status)
  return layout({
    title: [title],
    stylesheet: links.stylesheet,
    home: `${links.root}/v1/`,
    account: links.account,
    ...('home' in links && listDeploymentParts(problem, links)),
    main: html`${masthead(`Error ${status}`, title)}
      <div class="problem">
        <p class="detail">${detail}</p>
        ${errors.length > 0 && errorList(errors)} ${advice !== undefined && html`<p>${advice}</p>`}
        ${nextLinks(problem, links)}
        <p class="note">Error id <code>${instance}</code></p>
      </div>`,
  })
}

/** What the page has in common with the others of the deployment, so that an unreadable repository keeps its place. */
function listDeploymentParts({ status, type }: Problem, { home, search, repository, ...links }: DeploymentLinks) {
  const { org, repo, hasSearch } = links
  const isKnown = repo !== undefined && ![400, 401, 403].includes(status) && type !== '/problems/repository-not-found'
  return {
    home,
    breadcrumbs: [
      { text: org, href: home, label: `Organisation ${org}` },
      ...(isKnown ? [{ text: repo, href: repository(repo), label: `Repository ${repo}` }] : []),
      { text: `Error ${status}` },
    ],
    ...(hasSearch && { search: search() }),
  }
}

/** The page about a kind of error. */
export function problemTypePage(
  { status, title, meaning }: { readonly status: number; readonly title: string; readonly meaning: string },
  { v1, stylesheet }: { readonly v1: string; readonly stylesheet: string },
): string {
  return layout({
    title: [title],
    stylesheet,
    home: `${v1}/`,
    main: html`${masthead(`Status ${status}`, title)}
      <div class="problem"><p class="detail">${meaning}</p></div>`,
  })
}

function errorList(errors: NonNullable<Problem['errors']>): Html {
  return html`<ul class="errors">
    ${errors.map(({ pointer, message }) => html`<li><code>${pointer}</code> ${message}</li>`)}
  </ul>`
}

/** What the reader can do about an error. */
const adviceByStatus: ReadonlyMap<number, string> = new Map([
  [401, 'Reload the page and sign in: the user name is the organisation, the password is one of its API keys.'],
  [
    403,
    'An administrator of the organisation can give you another API key. Your browser sends the current key until you ' +
      'close all of its windows. To use another key at once, open a private window.',
  ],
  [404, 'Check the spelling of the address. What it names may have been renamed or removed.'],
  [422, 'Trying again will not help. The owners of the repository or the operators of the service must fix it.'],
  [429, 'Wait a little before you try again.'],
  [500, 'This is a fault of the service. Its operators can find the error in the log by the id below.'],
  [502, 'The object store that holds the repository has a problem. Try again in a moment.'],
  [503, 'Try again in a moment.'],
  [504, 'The object store that holds the repository is slow. Try again in a moment.'],
])

function nextLinks({ type, see }: Problem, links: ProblemLinks): Html {
  return html`<nav class="views" aria-label="Where to go next">
    ${see !== undefined && html`<a href="${see}">Branches and tags</a>`}
    ${'home' in links && html`<a href="${links.home}">Repositories</a><a href="${links.docs}">Try the API</a>`}
    <a href="${links.root}${type}">About this kind of error</a>
  </nav>`
}
