// How old the last commit of a branch may become, and how old it is; or how many chunks must be written, and are.
import { html, type Html } from '../html.ts'
import { timeElement } from '../page-subject.ts'
import { describeShare } from '../parts/written-chunks.ts'

/** What is expected of a branch, and what was found: `freshness` with `maxAge`, `completeness` with `written`. */
export type ShownExpectation = {
  readonly branch: string
  /** Only commits that changed such a path count, or only arrays with such a path; null if all count. */
  readonly path: string | null
  /** Such as `6h`. */
  readonly maxAge: string | null
  /** Share of the chunks of each array. */
  readonly written: number | null
  readonly freshness: {
    /** Null when none is known. */
    readonly lastCommitAt: Date | null
    /** Since when it is stale; null while it is fresh. */
    readonly staleSince: Date | null
  } | null
  readonly completeness: {
    /** Since when it is incomplete; null while it is not. */
    readonly incompleteSince: Date | null
    /** The first of `incompleteArrays`. */
    readonly arrays: readonly {
      readonly path: string
      readonly chunks: { readonly written: number; readonly total: number }
    }[]
    readonly incompleteArrays: number
    /** Why the head could not be judged; null if it could. */
    readonly unknownReason: string | null
  } | null
}

/** Maximum number of arrays that are named. */
const maxNamedArrays = 3

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

const unitNames: Readonly<Record<string, string>> = { s: 's', m: 'min', h: 'h', d: 'd' }

/**
 * Such as `updated 3 h ago, expected every 6 h: late` or `99% of the chunks expected: enough written`. Names the branch
 * if it is not `main`, and the path.
 */
export function describeExpectation(expectation: ShownExpectation, now: number): Html {
  const { branch, path } = expectation
  const names = [...(branch === 'main' ? [] : [branch]), ...(path === null ? [] : [path])]
  return html`${names.length > 0 && html`<code>${names.join(' ')}</code> `}${
    expectation.maxAge === null ? describeCompleteness(expectation) : describeAge(expectation, expectation.maxAge, now)
  }`
}

function describeAge({ freshness }: ShownExpectation, maxAge: string, now: number): Html {
  const lastCommitAt = freshness?.lastCommitAt ?? null
  const age = lastCommitAt === null ? 'no commit seen' : html`updated ${agoElement(lastCommitAt, now)}`
  const limit = `${maxAge.slice(0, -1)} ${unitNames[maxAge.slice(-1)] ?? ''}`
  const isStale = freshness !== null && freshness.staleSince !== null
  return html`${age}, expected every ${limit}${isStale && html`: <strong class="late">late</strong>`}`
}

function agoElement(time: Date, now: number): Html {
  const ageMs = Math.max(0, now - time.getTime())
  const [unitMs, unit] = units.find(([unitMs]) => ageMs >= unitMs) ?? units[3]
  const iso = time.toISOString()
  return html`<time datetime="${iso}" title="${iso}">${Math.floor(ageMs / unitMs)} ${unit} ago</time>`
}

function describeCompleteness({ written, completeness }: ShownExpectation): Html {
  const { incompleteSince = null, unknownReason = null } = completeness ?? {}
  const share = (written ?? 0).toLocaleString('en', { style: 'percent', maximumFractionDigits: 3 })
  return html`${share} of the chunks
  expected${
    incompleteSince === null
      ? unknownReason === null && ': enough written'
      : html`: <strong class="late">fewer written</strong> since
          ${timeElement(incompleteSince)}${nameArrays(completeness)}`
  }${unknownReason !== null && html`; the last head could not be judged: ${unknownReason}`}`
}

function nameArrays(completeness: ShownExpectation['completeness']): Html | false {
  const { arrays = [], incompleteArrays = 0 } = completeness ?? {}
  const named = arrays.slice(0, maxNamedArrays)
  const left = incompleteArrays - named.length
  return html`${named.map(({ path, chunks }) => html`, <code>${path}</code> ${describeShare(chunks)}`)}${
    left > 0 && ` and ${left.toLocaleString('en')} more`
  }`
}
