// A year of a branch: its commits by day, and below them a line for each expectation, thick while it was not met.
import { eventRetentionDays } from '@floe/contract/constants'
import { html, type Html } from '../html.ts'
import { clipText, moreNote, PageBudget, renderWithin } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'
import { formatCount } from '../parts/format-count.ts'
import { foldedTable } from '../parts/data-table.ts'

export const dayMs = 86_400_000
const weekMs = 7 * dayMs

/** Maximum number of events of an expectation. */
export const maxEvents = 100

/** The weeks of the calendar: a year, and the days of this week. */
const weeks = 53

/** The year of a branch. Times are in milliseconds since 1970, and those of days are their beginnings in UTC. */
export type BranchCalendar = {
  readonly branch: string
  readonly now: number
  /** See {@link findFirstDay}. */
  readonly firstDay: number
  /** The first day that is counted. It may have more commits if it is not the first of the calendar. */
  readonly countedFrom: number
  /** Numbers of commits by day, without zeros. */
  readonly counts: ReadonlyMap<number, number>
  /** What is expected of the branch; null if that could not be read. */
  readonly lines: readonly CalendarLine[] | null
}

/** An expectation over the year. */
export type CalendarLine = {
  readonly name: string
  /** From when on it is known whether it was met. */
  readonly knownFrom: number
  readonly unmet: readonly { readonly from: number; readonly to: number }[]
  readonly told: readonly { readonly at: number; readonly text: string }[]
}

/** The Monday with which the calendar begins. */
export function findFirstDay(now: number): number {
  // 1970 began on a Thursday.
  const thisWeek = Math.floor((now + 3 * dayMs) / weekMs) * weekMs - 3 * dayMs
  return thisWeek - (weeks - 1) * weekMs
}

/** The section of the calendar. Screen readers skip the drawing, because the table says the same. */
export function branchCalendar(repository: string, calendar: BranchCalendar, links: PageLinks): Html {
  const { branch, firstDay, countedFrom, counts, lines } = calendar
  const total = counts.values().reduce((sum, count) => sum + count, 0)
  return html`<section class="calendar" aria-labelledby="calendar">
    <h2 id="calendar">The last year <span>${formatCount(total, 'commit')} of ${branch}</span></h2>
    <div tabindex="0" role="group" aria-label="Drawing of the table below">${drawing(calendar)}</div>
    ${
      countedFrom > firstDay &&
      html`<p class="note">
        Only the newest ${formatCount(total, 'commit')} are counted: ${writeDay(countedFrom)} may have more, and so may
        the days before.
      </p>`
    }
    ${lines === null && html`<p class="note">What is expected of the branch cannot be read now.</p>`}
    ${lines !== null && lines.length > 0 && lineNote} ${table(repository, calendar, links)}
  </section>`
}

const lineNote = html`<p class="note">
  A line is thick while an expectation was not met. Before it begins, nobody expected it yet, or nothing is known any
  more: events are kept for ${eventRetentionDays} days, and only the last ${maxEvents} are read.
</p>`

/** Distance of days, and size of their squares, in pixels. */
const step = 13
const square = 11
const left = 30
const top = 16
const lineHeight = 26
const legendStep = 64
const width = left + weeks * step

/** The shades of days, from light to dark, each with the most commits of such a day. */
const shades = [
  { most: 0, name: 'none', opacity: 0.1 },
  { most: 1, name: '1', opacity: 0.3 },
  { most: 5, name: '2 to 5', opacity: 0.5 },
  { most: 20, name: '6 to 20', opacity: 0.75 },
  { most: Infinity, name: 'more', opacity: 1 },
] as const

function drawing({ now, firstDay, countedFrom, counts, lines }: BranchCalendar): Html {
  const days: number[] = []
  for (let day = countedFrom; day <= now; day += dayMs) days.push(day)
  const drawn = lines ?? []
  const bottom = top + 7 * step
  const height = bottom + 20 + drawn.length * lineHeight
  const x = (time: number) => Math.round((left + ((Math.max(time, firstDay) - firstDay) / weekMs) * step) * 10) / 10
  return html`<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" aria-hidden="true">
    ${listMonths(firstDay).map((day) => html`<text x="${x(day)}" y="10">${writeDay(day).slice(0, 7)}</text>`)}
    ${['Mon', 'Wed', 'Fri'].map((name, row) => html`<text y="${top + 9 + row * 2 * step}">${name}</text>`)}
    ${days.map((day) => daySquare(day, firstDay, counts.get(day) ?? 0))} ${legend(bottom + 14)}
    ${drawn.map(({ name, knownFrom, unmet }, row) => {
      const y = bottom + 20 + row * lineHeight
      return html`<text text-anchor="end" x="${width}" y="${y + 10}">${clipText(name, 80)}</text>
        <path stroke-width="2" d="M${x(knownFrom)} ${y + 17}H${x(now)}" />
        ${unmet.map(
          ({ from, to }) =>
            html`<path class="unmet" d="M${x(from)} ${y + 17}H${Math.max(x(from) + 1, x(to))}">
              <title>${`${name} not met from ${writeTime(from)} to ${to === now ? 'now' : writeTime(to)}`}</title>
            </path>`,
        )}`
    })}
  </svg>`
}

function daySquare(day: number, firstDay: number, count: number): Html {
  const place = Math.round((day - firstDay) / dayMs)
  const [x, y] = [left + Math.floor(place / 7) * step, top + (place % 7) * step]
  const opacity = shades.find(({ most }) => count <= most)?.opacity
  return html`<rect x="${x}" y="${y}" width="${square}" height="${square}" fill-opacity="${opacity}">
    ${count > 0 && html`<title>${`${writeDay(day)}: ${formatCount(count, 'commit')}`}</title>`}
  </rect>`
}

function legend(y: number): Html {
  return html`<text text-anchor="end" x="${width - shades.length * legendStep - 8}" y="${y}">Commits in a day</text>
    ${shades.map(({ name, opacity }, place) => {
      const x = width - (shades.length - place) * legendStep
      return html`<rect x="${x}" y="${y - 9}" width="${square}" height="${square}" fill-opacity="${opacity}" />
        <text x="${x + 16}" y="${y}">${name}</text>`
    })}`
}

/** The first Monday of each month. This week has no room for a name. */
function listMonths(firstDay: number): number[] {
  const mondays = Array.from({ length: weeks - 1 }, (_, week) => firstDay + week * weekMs)
  return mondays.filter((day) => new Date(day).getUTCDate() <= 7)
}

/** Maximum size of the rows of the table, in bytes. */
const tableBytes = 150_000

/** Longer texts of events are cut, in characters. */
const maxTextLength = 300

/** The days with commits or events, the last first. */
function table(repository: string, { branch, countedFrom, counts, lines }: BranchCalendar, links: PageLinks): Html {
  const told = (lines ?? []).flatMap((line) => line.told).sort((one, other) => one.at - other.at)
  const toldOn = Map.groupBy(told, ({ at }) => Math.floor(at / dayMs) * dayMs)
  const days = [...new Set([...counts.keys(), ...toldOn.keys()])].sort((one, other) => other - one)
  const { rendered, leftOut } = renderWithin(new PageBudget(tableBytes), days, (day) => {
    const count = day < countedFrom ? 'not counted' : (counts.get(day) ?? 0).toLocaleString('en')
    const texts = toldOn.get(day) ?? []
    return html`<tr>
      <th scope="row"><a href="${links.history(repository, branch, { until: writeDay(day) })}">${writeDay(day)}</a></th>
      <td>${count}</td>
      <td>${texts.map(({ at, text }) => html`<p>${writeTime(at).slice(11)} ${clipText(text, maxTextLength)}</p>`)}</td>
    </tr>`
  })
  return foldedTable(['Day', 'Commits', 'Expectations'], rendered, moreNote(leftOut, 'days are not shown.'))
}

function writeDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function writeTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
