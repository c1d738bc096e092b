// The page that explains a failed request, and the page about a kind of problem.
import type { Problem } from '@floe/contract'
import { html, type Html } from './html.ts'
import { layout, masthead } from './layout.ts'
import type { PageLinks } from './page-links.ts'

/** The links of the deployment that the request belongs to; only the stylesheet when it belongs to none. */
export type ProblemLinks = (PageLinks | { readonly stylesheet: string }) & {
  /** Path of the service, in front of `type`; empty unless a proxy adds one. */
  readonly root: string
}

export function problemPage(problem: Problem, links: ProblemLinks): string {
  const { status, title, detail, instance, errors = [] } = problem
  const advice = adviceByStatus.get(status)
  return layout({
    title: [title],
    stylesheet: links.stylesheet,
    ...('home' in links && { home: links.home }),
    main: html`${masthead(`Error ${status}`, title)}
      <div class="problem">
        <p class="detail">${detail}</p>
        ${errors.length > 0 && errorList(errors)} ${advice !== undefined && html`<p>${advice}</p>`}
        ${nextLinks(problem, links)}
        <p class="note">Error id <code>${instance}</code></p>
      </div>`,
  })
}

export function problemTypePage(
  { status, title, meaning }: { readonly status: number; readonly title: string; readonly meaning: string },
  stylesheet: string,
): string {
  return layout({
    title: [title],
    stylesheet,
    main: html`${masthead(`Status ${status}`, title)}
      <div class="problem"><p class="detail">${meaning}</p></div>`,
  })
}

function errorList(errors: NonNullable<Problem['errors']>): Html {
  return html`<ul class="errors">
    ${errors.map(({ pointer, message }) => html`<li><code>${pointer}</code> ${message}</li>`)}
  </ul>`
}

const adviceByStatus: ReadonlyMap<number, string> = new Map([
  [401, 'Reload the page and sign in: the user name is the organisation, the password is one of its API keys.'],
  [
    403,
    'An administrator of the organisation can give you another API key. Your browser sends the current key until you close all of its windows; to use another key at once, open a private window.',
  ],
  [404, 'The name may be misspelt, or what it named was renamed or removed.'],
  [422, 'Trying again will not help. The owners of the repository or the operators of the service must correct it.'],
  [429, 'Wait a little before you try again.'],
  [500, 'The service has a fault. Its operators can find the error in the log by the id below.'],
  [502, 'The object store that holds the repository has a problem. Try again in a moment.'],
  [503, 'Try again in a moment.'],
  [504, 'The object store that holds the repository is slow. Try again in a moment.'],
])

function nextLinks({ type, see }: Problem, links: ProblemLinks): Html {
  return html`<nav class="views" aria-label="Where to go next">
    ${see !== undefined && html`<a href="${see}">Branches and tags</a>`}
    ${'home' in links && html`<a href="${links.home}">Repositories</a><a href="${links.docs}">API documentation</a>`}
    <a href="${links.root}${type}">About this kind of error</a>
  </nav>`
}
