import { html } from '../pages/html.ts'
import { layout, masthead } from '../pages/layout.ts'
import type { AskingClient } from './clients.ts'

type PageData = {
  readonly client: AskingClient
  /** Where the person is sent back. */
  readonly redirect: string
  /** Where the person is sent back who gives no key. */
  readonly cancel: string
  readonly resource: string
  readonly stylesheet: string
  /** Whether a key was given that is not valid. */
  readonly isWrong: boolean
}

/** The page on which a person exchanges an API key for the tokens of a client. */
export function authorizePage({ client, redirect, cancel, resource, stylesheet, isWrong }: PageData): string {
  const { host, protocol } = new URL(redirect)
  return layout({
    title: ['Connect a client'],
    stylesheet,
    isPrivate: true,
    main: html`${masthead('Connect a client', client.name)}
      <form class="problem" method="post">
        <dl>
          <dt>Name</dt>
          <dd>
            <bdi>${client.name}</bdi>, as ${client.describedAt ?? 'the client'}
            says${client.describedAt === undefined && '; nobody has checked it'}
          </dd>
          <dt>Sends you to</dt>
          <dd>${host}${protocol === 'http:' && ', a program on your own computer'}</dd>
          <dt>Asks for</dt>
          <dd>${resource}</dd>
          <dt>Gets</dt>
          <dd>tokens with the role and the repositories of your API key, until the key is revoked or expires</dd>
        </dl>
        <p>Go on only if you have just asked this client to connect. It does not see the key.</p>
        ${isWrong && html`<p role="alert"><strong class="late">The key is wrong, revoked or expired.</strong></p>`}
        <p class="filter">
          <label for="key">API key</label>
          <input id="key" name="key" type="password" required autofocus autocomplete="off" />
          <button>Connect</button>
        </p>
        <p class="note">
          Floe is no identity provider: it exchanges the key for tokens, and does not know who you are.
          <a href="${cancel}">Cancel</a>
        </p>
      </form>`,
  })
}
