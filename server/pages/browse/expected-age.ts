// How old the last commit of a branch may become, and how old it is.
import { html, type Html } from '../html.ts'

/** What is expected of a branch, and what a check has found. */
export type ShownExpectation = {
  readonly branch: string
  /** Only commits that changed such a path count; null if every commit counts. */
  readonly path: string | null
  /** Such as `6h`. */
  readonly maxAge: string
  /** Null when none is known. */
  readonly lastCommitAt: Date | null
  /** Since when it is stale; null while it is fresh. */
  readonly staleSince: Date | null
}

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

const unitNames: Readonly<Record<string, string>> = { s: 's', m: 'min', h: 'h', d: 'd' }

/** Such as `updated 3 h ago, expected every 6 h: late`. Names the branch if it is not `main`, and the path. */
export function describeAge({ branch, path, maxAge, lastCommitAt, staleSince }: ShownExpectation, now: number): Html {
  const names = [...(branch === 'main' ? [] : [branch]), ...(path === null ? [] : [path])]
  const age = lastCommitAt === null ? 'no commit seen' : html`updated ${agoElement(lastCommitAt, now)}`
  const limit = `${maxAge.slice(0, -1)} ${unitNames[maxAge.slice(-1)] ?? ''}`
  return html`${names.length > 0 && html`<code>${names.join(' ')}</code> `}${age}, expected every
  ${limit}${staleSince !== null && html`: <strong class="late">late</strong>`}`
}

function agoElement(time: Date, now: number): Html {
  const ageMs = Math.max(0, now - time.getTime())
  const [unitMs, unit] = units.find(([unitMs]) => ageMs >= unitMs) ?? units[3]
  const iso = time.toISOString()
  return html`<time datetime="${iso}" title="${iso}">${Math.floor(ageMs / unitMs)} ${unit} ago</time>`
}
