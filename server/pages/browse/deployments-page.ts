// The first page of the service: the deployments that the reader may see.
import { html, type Html } from '../html.ts'
import { type AccountLink, layout, masthead } from '../layout.ts'

type DeploymentsPageData = {
  readonly deployments: readonly {
    readonly org: string
    readonly name: string
    readonly isPublic: boolean
    /** Address of the list of its repositories. */
    readonly href: string
  }[]
  /** Organisation of the API key that the reader sent; null when none was sent. */
  readonly org: string | null
  /** Address of this page. */
  readonly home: string
  /** Address of the JSON Schema of notifications. */
  readonly notificationSchema: string
  /** Address of the documentation. */
  readonly help: string
  readonly stylesheet: string
  readonly account?: AccountLink | undefined
}

/** The list of deployments. */
export function deploymentsPage(data: DeploymentsPageData): string {
  const { org, home, stylesheet, account, notificationSchema, help } = data
  return layout({
    title: ['Deployments'],
    stylesheet,
    account,
    home,
    footer: [
      { text: 'JSON Schema of notifications', href: notificationSchema },
      { text: 'Help', href: help },
    ],
    main: html`${masthead('Icechunk repositories, described without reading array data', 'Deployments')}
    ${deploymentList(data)} ${org === null && signInNote(home)}`,
  })
}

function deploymentList({ deployments, org }: DeploymentsPageData): Html {
  if (deployments.length === 0) {
    return org === null
      ? html`<p class="note">There are no public deployments.</p>`
      : html`<p class="note">${org} has no deployments, and no other organisation has a public one.</p>`
  }
  return html`<ul class="repositories">
    ${deployments.map(
      ({ org, name, isPublic, href }) =>
        html`<li>
          <a href="${href}">${org}/${name}</a>
          <div>
            <p>Repositories of ${org}</p>
            <p class="about">${isPublic ? 'public' : 'needs an API key'}</p>
          </div>
        </li>`,
    )}
  </ul>`
}

function signInNote(home: string): Html {
  return html`<p class="note">
    Private deployments are listed only for requests with an API key. To open one, go to
    <code>${home}services/DEPLOYMENT/ORGANISATION/_meta/</code> and sign in: the user name is the organisation, the
    password is one of its API keys.
  </p>`
}
