// The pages about who is signed in, and about having signed out.
import type { Account } from '@floe/contract'
import { html } from '../pages/html.ts'
import { layout, masthead } from '../pages/layout.ts'
import type { PublicAddress } from '../pages/public-address.ts'

/** Says who is signed in, with a button that ends it. */
export function accountPage({ person, orgs }: Account, { v1, stylesheet }: PublicAddress): string {
  const name = person === null ? 'An API key' : (person.email ?? person.subject)
  return layout({
    title: ['Account'],
    stylesheet,
    home: `${v1}/`,
    main: html`${masthead('Account', name)}
      <p>Has a role in: ${orgs.join(', ')}.</p>
      ${
        person !== null &&
        html`<p class="note">${person.issuer} vouches for this account.</p>
          <form method="post" action="${v1}/sign-out"><button>Sign out</button></form>`
      }`,
  })
}

/** @param issuer where the browser goes next, to sign out there too; undefined for nowhere */
export function signedOutPage(issuer: URL | undefined, { v1, stylesheet }: PublicAddress): string {
  return layout({
    title: ['Signed out'],
    stylesheet,
    home: `${v1}/`,
    main: html`${masthead('Account', 'Signed out')}
      <nav class="views" aria-label="Where to go next">
        ${issuer && html`<a href="${issuer.href}">Sign out of ${issuer.host} too</a>`}
        <a href="${v1}/">Start page</a>
      </nav>`,
  })
}
