// The page that explains a failed request.
import type { Problem } from '@floe/contract'
import { html, type Html } from './html.ts'
import { layout } from './layout.ts'
import type { PageLinks } from './page-links.ts'

/** The links of the deployment that the request belongs to; only the stylesheet when it belongs to none. */
export type ProblemLinks = (PageLinks | { readonly stylesheet: string }) & {
  /** Path of the service, in front of `type`; empty unless a proxy adds one. */
  readonly root: string
}

/** The page as a document. */
export function problemPage(problem: Problem, links: ProblemLinks): string {
  const { status, title, detail, instance, type, errors = [] } = problem
  return layout({
    title: [title],
    stylesheet: links.stylesheet,
    ...('home' in links && { home: links.home }),
    breadcrumbs: [],
    footer: [],
    main: html`<div class="masthead">
        <div>
          <p class="kind">Error ${status}</p>
          <h1>${title}</h1>
        </div>
      </div>
      <div class="problem">
        <p class="detail">${detail}</p>
        ${errors.length > 0 && errorList(errors)} ${advice(status)} ${nextLinks(type, links)}
        <p class="note">Id of this error <code>${instance}</code></p>
      </div>`,
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
    'An administrator of the organisation can give you another API key. The browser goes on sending this one until you close all of its windows; a private window asks for the other one at once.',
  ],
  [
    404,
    'The name may be misspelt, or it may have been renamed or removed. The list of repositories shows what exists.',
  ],
  [422, 'Trying again will not help. The people who write this repository must correct it.'],
  [429, 'Wait a little before you try again.'],
  [500, 'This is a fault of the service. Its operators can find it in the log by the id below.'],
  [502, 'The object store that holds the repository has a problem. Try again in a moment.'],
  [503, 'Try again in a moment.'],
  [504, 'The object store that holds the repository is slow. Try again in a moment.'],
])

function advice(status: number): Html | undefined {
  const text = adviceByStatus.get(status)
  return text === undefined ? undefined : html`<p>${text}</p>`
}

function nextLinks(type: string, links: ProblemLinks): Html {
  return html`<nav class="views" aria-label="Where to go next">
    ${'home' in links && html`<a href="${links.home}">Repositories</a><a href="${links.docs}">API documentation</a>`}
    <a href="${links.root}${type}">About this kind of error</a>
  </nav>`
}
