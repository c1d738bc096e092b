// Starts the page. The HTML names the repository, and the browser sends its own credentials with each request.
import '../assets/style.css'
import './settings.css'
import { createAdminClient } from '@floe/client'
import { render } from 'preact'
import { SettingsApp } from './settings-app.tsx'

const timeoutMs = 20_000

const root = document.getElementById('settings')
const { v1, org, repo } = root?.dataset ?? {}
if (!root || !v1 || !org || !repo) throw new TypeError('the page names no API, organisation or repository')

const client = createAdminClient({
  baseUrl: new URL(v1, location.href).href,
  org,
  timeoutMs,
  // The client need not retry, because the page polls and shows when it has no connection.
  retries: 0,
  fetch: (request, init) => fetch(request, { ...init, credentials: 'same-origin' }),
})

root.replaceChildren()
render(<SettingsApp client={client} repo={repo} />, root)
