// Starts the page. The HTML names the repository or the organisation, and the browser sends its own credentials with each request.
import '../assets/style.css'
import './settings.css'
import { createAdminClient } from '@floe/client'
import { render } from 'preact'
import { openOrganisation, openRepository } from './place.ts'
import { SettingsApp } from './settings-app.tsx'

const timeoutMs = 20_000

const root = document.getElementById('settings')
const { v1, org, repo } = root?.dataset ?? {}
if (!root || !v1 || !org) throw new TypeError('the page names no API or organisation')

const client = createAdminClient({
  baseUrl: new URL(v1, location.href).href,
  org,
  timeoutMs,
  // The client need not retry, because the page polls and shows when it has no connection.
  retries: 0,
  fetch: (request, init) => fetch(request, { ...init, credentials: 'same-origin' }),
})

root.replaceChildren()
const place = repo === undefined ? openOrganisation(client) : openRepository(client, repo)
render(<SettingsApp place={place} />, root)
