// The first page of the service: the deployments that the reader may see.
import { html, type Html } from '../html.ts'
import { layout } from '../layout.ts'

/** A deployment and the address of its first page. */
type ListedDeployment = {
  readonly org: string
  readonly name: string
  readonly isPublic: boolean
  readonly href: string
}

/** Everything the page shows. */
export type DeploymentsPageData = {
  readonly deployments: readonly ListedDeployment[]
  /** Organisation of the API key that the reader sent; null when none was sent. */
  readonly org: string | null
  /** Address of the page itself. */
  readonly home: string
  readonly notificationSchema: string
  readonly stylesheet: string
}

/** The page as a document. */
export function deploymentsPage(data: DeploymentsPageData): string {
  const { org, home, stylesheet, notificationSchema } = data
  return layout({
    title: ['Deployments'],
    stylesheet,
    home,
    breadcrumbs: [],
    footer: [{ text: 'JSON Schema of notifications', href: notificationSchema }],
    main: html`<div class="masthead">
        <div>
          <p class="kind">Icechunk repositories, described without reading array data</p>
          <h1>Deployments</h1>
        </div>
      </div>
      ${deploymentList(data)} ${org === null && signInNote(home)}`,
  })
}

function deploymentList({ deployments, org }: DeploymentsPageData): Html {
  if (deployments.length === 0) {
    return org === null
      ? html`<p class="note">No deployment here is public.</p>`
      : html`<p class="note">${org} has no deployments, and no other organisation has a public one.</p>`
  }
  return html`<ul class="repositories">
    ${deployments.map(
      ({ org, name, isPublic, href }) =>
        html`<li>
          <a href="${href}">${org}/${name}</a>
          <p>Repositories of ${org}</p>
          <p>${isPublic ? 'public' : 'needs an API key'}</p>
        </li>`,
    )}
  </ul>`
}

function signInNote(home: string): Html {
  return html`<p class="note">
    This list shows private deployments only to those who send an API key. To open one, go to
    <code>${home}services/DEPLOYMENT/ORGANISATION/_meta/</code>: the user name is the organisation, the password is one
    of its API keys.
  </p>`
}
