// A period as a bar above an axis with a few round times.
import { html, type Html } from '../../html.ts'
import type { Period } from './read-coverage.ts'

const width = 272
/** Room at both ends of the axis. */
const margin = 14
/** Periods shorter than this are drawn as long as this, so that they can be seen. */
const shortestBar = 3

const characterWidth = 6.5

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

type Tick = { readonly time: number; readonly label: string }

/** Draws the period. Screen readers skip the drawing, because its caption says the same. */
export function timeLine({ start, end }: Period): Html {
  const span = Math.max(end.getTime() - start.getTime(), minute)
  const from = start.getTime() - span * 0.06
  const to = start.getTime() + span * 1.06
  const place = (time: number) => Math.round(margin + ((time - from) / (to - from)) * (width - 2 * margin))
  const left = place(start.getTime())
  const barWidth = Math.max(shortestBar, place(end.getTime()) - left)
  const ticks = listTicks(from, to)
  return html`<svg class="period" viewBox="0 0 ${width} 40" aria-hidden="true">
    <rect x="${left}" y="4" width="${barWidth}" height="10" rx="2" />
    <path d="M0 20h${width}${ticks.map(({ time }) => `M${place(time)} 17v6`).join('')}" />
    ${ticks.map(({ time, label }) => html`<text x="${keepInside(place(time), label)}" y="35">${label}</text>`)}
  </svg>`
}

/** Moves the middle of a label so that the whole label is visible. */
function keepInside(x: number, label: string): number {
  const half = Math.ceil((label.length * characterWidth) / 2)
  return Math.min(width - half, Math.max(half, x))
}

/** Maximum number of labels side by side, by what they show. */
const mostLabels = { year: 6, month: 4, day: 3, minute: 5 }

/** Round times: the closest that fit. */
function listTicks(from: number, to: number): Tick[] {
  const years = (to - from) / (365.25 * day)
  for (const step of [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]) {
    if (years >= 2.5 && years / step <= mostLabels.year) return listMonths(from, to, step * 12, 4)
  }
  for (const step of [1, 2, 3, 6, 12]) {
    if (years * 12 >= 2.5 && (years * 12) / step <= mostLabels.month) return listMonths(from, to, step, 7)
  }
  for (const step of [1, 2, 5, 10, 20, 50]) {
    const days = (to - from) / day
    if (days >= 1.5 && days / step <= mostLabels.day) return listSteps(from, to, step * day, 0, 10)
  }
  for (const step of [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720]) {
    if ((to - from) / (step * minute) <= mostLabels.minute) return listSteps(from, to, step * minute, 11, 16)
  }
  return []
}

/** Lists only a few ticks: callers choose the step by how many fit. */
function listMonths(from: number, to: number, step: number, labelLength: number): Tick[] {
  const first = new Date(from)
  const months = Math.ceil((first.getUTCFullYear() * 12 + first.getUTCMonth() + 1) / step) * step
  const ticks: Tick[] = []
  for (let month = months; ticks.length < 10; month += step) {
    const time = new Date(0)
    time.setUTCFullYear(Math.floor(month / 12), month % 12, 1)
    if (!(time.getTime() <= to)) break
    ticks.push({ time: time.getTime(), label: time.toISOString().slice(0, labelLength) })
  }
  return ticks
}

function listSteps(from: number, to: number, step: number, labelStart: number, labelEnd: number): Tick[] {
  const ticks: Tick[] = []
  for (let time = Math.ceil(from / step) * step; time <= to && ticks.length < 10; time += step) {
    ticks.push({ time, label: new Date(time).toISOString().slice(labelStart, labelEnd) })
  }
  return ticks
}
