// Starts the page. The HTML names the repository or the organisation. The browser adds its credentials to each request.
import '../pages/assets/style.css'
import './settings.css'
import { createAdminClient } from '@floe/client'
import { render } from 'preact'
import { SettingsApp } from './settings-app.tsx'
import { makeOrganisationScope, makeRepositoryScope } from './settings-scope.ts'

const timeoutMs = 20_000

const root = document.getElementById('settings')
const { v1, org, repo } = root?.dataset ?? {}
if (!root || !v1 || !org) throw new TypeError('the page names no API or organisation')

const client = createAdminClient({
  baseUrl: new URL(v1, location.href).href,
  org,
  timeoutMs,
  // The page polls, and says when it has no connection.
  retries: 0,
  fetch: (request, init) => fetch(request, { ...init, credentials: 'same-origin' }),
})

root.replaceChildren()
const scope =
  repo === undefined ? makeOrganisationScope(client, 'signIn' in root.dataset) : makeRepositoryScope(client, repo)
render(<SettingsApp scope={scope} />, root)
