// A period as a bar above an axis with a few round times.
import { html, type Html } from '../../html.ts'

const width = 272
/** Space at both ends of the axis. */
const margin = 14
/** Length of the bar of a very short period, so that it is visible. */
const minBarWidth = 3

const characterWidth = 6.5

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

export type Period = { readonly start: Date; readonly end: Date }

type Tick = { readonly time: number; readonly label: string }

/** Draws the period. Screen readers skip the drawing, because its caption says the same. */
export function timeLine({ start, end }: Period): Html {
  const span = Math.max(end.getTime() - start.getTime(), minute)
  const from = start.getTime() - span * 0.06
  const to = start.getTime() + span * 1.06
  const toX = (time: number) => Math.round(margin + ((time - from) / (to - from)) * (width - 2 * margin))
  const left = toX(start.getTime())
  const barWidth = Math.max(minBarWidth, toX(end.getTime()) - left)
  const ticks = listTicks(from, to)
  return html`<svg class="period" viewBox="0 0 ${width} 40" aria-hidden="true">
    <rect x="${left}" y="4" width="${barWidth}" height="10" rx="2" />
    <path d="M0 20h${width}${ticks.map(({ time }) => `M${toX(time)} 17v6`).join('')}" />
    ${ticks.map(({ time, label }) => html`<text x="${keepInside(toX(time), label)}" y="35">${label}</text>`)}
  </svg>`
}

/** Moves the middle of a label so that the whole label is visible. */
function keepInside(x: number, label: string): number {
  const half = Math.ceil((label.length * characterWidth) / 2)
  return Math.min(width - half, Math.max(half, x))
}

/** Maximum number of labels side by side, by what they show. */
const maxLabels = { year: 6, month: 4, day: 3, minute: 5 }

/** Lists round times: as close to each other as their labels allow. */
function listTicks(from: number, to: number): Tick[] {
  const years = (to - from) / (365.25 * day)
  for (const step of [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]) {
    if (years >= 2.5 && years / step <= maxLabels.year) return listMonths(from, to, step * 12, 4)
  }
  for (const step of [1, 2, 3, 6, 12]) {
    if (years * 12 >= 2.5 && (years * 12) / step <= maxLabels.month) return listMonths(from, to, step, 7)
  }
  for (const step of [1, 2, 5, 10, 20, 50]) {
    const days = (to - from) / day
    if (days >= 1.5 && days / step <= maxLabels.day) return listSteps(from, to, step * day, 0, 10)
  }
  for (const step of [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720]) {
    if ((to - from) / (step * minute) <= maxLabels.minute) return listSteps(from, to, step * minute, 11, 16)
  }
  return []
}

/** Lists the starts of months, `step` months apart. Callers choose a step that gives a few. */
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

/** Lists the multiples of `step`, in milliseconds. Callers choose a step that gives a few. */
function listSteps(from: number, to: number, step: number, labelStart: number, labelEnd: number): Tick[] {
  const ticks: Tick[] = []
  for (let time = Math.ceil(from / step) * step; time <= to && ticks.length < 10; time += step) {
    ticks.push({ time, label: new Date(time).toISOString().slice(labelStart, labelEnd) })
  }
  return ticks
}
