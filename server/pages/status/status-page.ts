// The page for operators: the state of the whole service.
import type { ServiceStatus } from '@floe/contract'
import { html, type Html, type HtmlValue } from '../html.ts'
import { layout, masthead } from '../layout.ts'
import { clipText } from '../page-budget.ts'
import { timeElement } from '../page-subject.ts'

/** Longer texts of stores and receivers are cut, in characters. */
const maxTextLength = 500

/** The state of the whole service. Reload the page to read it again. */
export function statusPage(status: ServiceStatus, stylesheet: string): string {
  const { version, node, not_ready, problems } = status
  const state = problems.length === 0 ? 'Everything works.' : `Look at ${problems.join('; ')}.`
  const summary = `Floe ${version} on Node.js ${node}. ${state}`
  return layout({
    title: ['Status'],
    stylesheet,
    isPrivate: true,
    main: html`${masthead('Service', 'Status', undefined, summary)}
      <article>
        ${
          not_ready.length > 0 &&
          html`<h2>This process</h2>
            <ul>
              ${not_ready.map((text) => html`<li>${text}</li>`)}
            </ul>`
        }
        ${replicaTable(status)} ${workList(status)} ${troubleTables(status)}
      </article>`,
  })
}

function replicaTable({ replicas }: ServiceStatus): Html | false {
  return listed(
    'Replicas',
    ['machine', 'process', 'version', 'partitions'],
    replicas.map(({ host, pid, version, poll_partitions, answers }) => [
      answers ? `${host} (wrote this page)` : host,
      pid,
      version,
      poll_partitions,
    ]),
  )
}

function workList({ heads, queues, index }: ServiceStatus): Html {
  return html`<h2>Work</h2>
    <dl>
      <dt>Repositories polled here</dt>
      <dd>${formatNumber(heads.polled)}, ${formatNumber(heads.late)} of them late</dd>
      <dt>Latest poll</dt>
      <dd>${heads.late === 0 ? 'in time' : `${formatSeconds(heads.longest_s)} late`}</dd>
      <dt>Deliveries waiting</dt>
      <dd>${formatNumber(queues.waiting)}</dd>
      <dt>Oldest event that waits</dt>
      <dd>${showTime(queues.oldest_event_at)}</dd>
      <dt>Oldest due delivery</dt>
      <dd>${queues.overdue_s === 0 ? 'in time' : `waits for ${formatSeconds(queues.overdue_s)}`}</dd>
      <dt>Heads to index</dt>
      <dd>${index === null ? 'search is turned off' : formatNumber(index.pending)}</dd>
      <dt>Oldest of them</dt>
      <dd>${showTime(index?.oldest_at ?? null)}</dd>
    </dl>`
}

function troubleTables({ heads, receivers, stores }: ServiceStatus): Html {
  const late = heads.repositories.map(({ org_name, repo_name, late_s }) => [
    `${org_name}/${repo_name}`,
    formatSeconds(late_s),
  ])
  const failing = receivers.map(({ org_name, repo_name, kind, alias, failing_since, disabled_reason, error }) => [
    `${kind} ${alias} of ${org_name}${repo_name === null ? '' : `/${repo_name}`}`,
    showTime(failing_since),
    clipText(disabled_reason === null ? (error ?? 'unknown') : `disabled: ${disabled_reason}`, maxTextLength),
  ])
  const locations = stores.locations.map(({ org_name, error }) => [org_name, clipText(error, maxTextLength)])
  const unreadable = stores.repositories.map(({ org_name, repo_name, unreadable_since }) => [
    `${org_name}/${repo_name}`,
    showTime(unreadable_since),
  ])
  return html`${listed('Late polls', ['repository', 'late by'], late)}
  ${listed('Failing webhooks and chats', ['receiver', 'failing since', 'why'], failing)}
  ${listed('Locations that cannot be listed', ['organisation', 'why'], locations)}
  ${listed('Repositories that cannot be read', ['repository', 'since'], unreadable)}`
}

/** A heading and a table; nothing for no rows. */
function listed(title: string, heads: readonly string[], rows: readonly (readonly HtmlValue[])[]): Html | false {
  if (rows.length === 0) return false
  return html`<h2>${title}</h2>
    <div class="wide">
      <table>
        <thead>
          <tr>
            ${heads.map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                ${row.map((cell) => html`<td>${cell}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

function showTime(time: string | null): HtmlValue {
  return time === null ? 'none' : timeElement(new Date(time))
}

function formatSeconds(seconds: number): string {
  return `${seconds.toLocaleString('en', { maximumFractionDigits: seconds < 10 ? 1 : 0 })} s`
}

function formatNumber(count: number): string {
  return count.toLocaleString('en')
}
