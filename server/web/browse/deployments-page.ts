// The way in for people who know no more than where the service is.
import { html, type Html } from '../html.ts'
import { layout } from '../layout.ts'

/** A deployment that the reader may see, and where its pages begin. */
type ListedDeployment = {
  readonly org: string
  readonly name: string
  readonly isPublic: boolean
  readonly href: string
}

/** Everything the page shows. */
export type DeploymentsPageData = {
  readonly deployments: readonly ListedDeployment[]
  /** Whose API key the reader has sent; null for none. */
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
      : html`<p class="note">${org} has no deployments, and none of another organisation is public.</p>`
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
    Private deployments are listed for callers who send an API key, with the organisation as user name and the key as
    password. The pages of each begin at <code>${home}services/DEPLOYMENT/ORGANISATION/_meta/</code>.
  </p>`
}
