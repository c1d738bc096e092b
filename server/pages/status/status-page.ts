// The page for operators: the state of the whole service.
import type { ServiceStatus } from '@floe/contract'
import { html, type Html, type HtmlValue } from '../html.ts'
import { layout, masthead } from '../layout.ts'
import { clipText } from '../page-budget.ts'
import { timeElement } from '../page-subject.ts'
import type { PublicAddress } from '../public-address.ts'
import { barStrip } from '../parts/bar-strip.ts'
import { dataTable } from '../parts/data-table.ts'
import { formatNumber } from '../parts/format-count.ts'

/** Longer texts of stores and receivers are cut, in characters. */
const maxTextLength = 500

/** Number of minutes that a graph shows. */
const minutes = 60

/** The state of the whole service. Reload the page to read it again. */
export function statusPage(
  status: ServiceStatus,
  { v1, stylesheet }: Pick<PublicAddress, 'v1' | 'stylesheet'>,
): string {
  const { version, node, not_ready, problems } = status
  const state = problems.length === 0 ? 'Everything works.' : `Needs attention: ${problems.join('; ')}.`
  const summary = `Floe ${version} on Node.js ${node}. ${state}`
  return layout({
    title: ['Status'],
    stylesheet,
    home: `${v1}/`,
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
        ${replicaTable(status)} ${workList(status)} ${hourGraphs(status)} ${troubleTables(status)}
      </article>`,
  })
}

function replicaTable({ replicas }: ServiceStatus): Html | false {
  return listed(
    'Replicas',
    ['Machine', 'Process', 'Version', 'Partitions'],
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

/** One graph for each number of the samples. Screen readers read the words above it. */
function hourGraphs({ samples }: ServiceStatus): Html {
  if (samples.length === 0)
    return html`<h2>Last hour</h2>
      <p class="note">This process takes a sample each minute, and has none yet.</p>`
  const graph = (title: string, numbers: readonly (number | null)[]) => {
    const now = numbers.at(-1) ?? null
    const most = Math.max(0, ...numbers.map((number) => number ?? 0))
    return html`<figure>
      <figcaption>
        ${title}: <b>${now === null ? 'unknown' : formatNumber(now)}</b> now, at most ${formatNumber(most)}
      </figcaption>
      ${barStrip([...Array.from({ length: minutes - numbers.length }, () => null), ...numbers])}
    </figure>`
  }
  const list = (name: Exclude<keyof ServiceStatus['samples'][number], 'at'>) => samples.map((sample) => sample[name])
  return html`<h2>Last hour</h2>
    <p class="note">
      A bar for each minute since ${showTime(samples[0]?.at ?? null)}; the newest is on the right. Empty: none, or
      unknown.
    </p>
    <div class="wide hour">
      ${graph('Late polls', list('late_polls'))} ${graph('Deliveries waiting', list('deliveries_waiting'))}
      ${graph('Requests refused', list('requests_refused'))}
    </div>`
}

function troubleTables({ heads, receivers, stores, expectations }: ServiceStatus): Html {
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
  const unmet = expectations.map(({ org_name, repo_name, branch, summary, since }) => [
    `${org_name}/${repo_name} ${branch}`,
    showTime(since),
    clipText(summary, maxTextLength),
  ])
  return html`${listed('Unmet expectations', ['Branch', 'Since', 'Why'], unmet)}
  ${listed('Late polls', ['Repository', 'Late by'], late)}
  ${listed('Failing webhooks and chats', ['Receiver', 'Failing since', 'Why'], failing)}
  ${listed('Locations that cannot be listed', ['Organisation', 'Why'], locations)}
  ${listed('Repositories that cannot be read', ['Repository', 'Since'], unreadable)}`
}

/** A heading and a table; nothing for no rows. */
function listed(title: string, heads: readonly string[], rows: readonly (readonly HtmlValue[])[]): Html | false {
  if (rows.length === 0) return false
  return html`<h2>${title}</h2>
    <div class="wide">${dataTable(heads, rows.map(tableRow))}</div>`
}

function tableRow(cells: readonly HtmlValue[]): Html {
  return html`<tr>
    ${cells.map((cell) => html`<td>${cell}</td>`)}
  </tr>`
}

function showTime(time: string | null): HtmlValue {
  return time === null ? 'none' : timeElement(new Date(time))
}

function formatSeconds(seconds: number): string {
  return `${seconds.toLocaleString('en', { maximumFractionDigits: seconds < 10 ? 1 : 0 })} s`
}
