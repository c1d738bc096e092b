// Whether a branch keeps a contract, and what breaks it.
import { html, type Html } from '../html.ts'
import { timeElement } from '../page-subject.ts'

/** A contract, and what a judgement has found. */
export type ShownContract = {
  readonly name: string
  readonly branch: string
  readonly findings: {
    /** Null while no head could be judged. */
    readonly state: 'kept' | 'broken' | null
    readonly brokenSince: Date | null
    /** In words: the first of `breakingChanges`. */
    readonly breaks: readonly string[]
    readonly breakingChanges: number
    /** Why the head could not be judged; null if it could. */
    readonly unknownReason: string | null
  }
}

/** Such as `keeps its contract tile server`, or what breaks it. Names the branch if it is not `main`. */
export function describeContract({ name, branch, findings }: ShownContract): Html {
  const { state, brokenSince, breaks, breakingChanges, unknownReason } = findings
  const left = breakingChanges - breaks.length
  return html`${branch !== 'main' && html`<code>${branch}</code> `}${
    state === 'broken'
      ? html`<strong class="late">breaks its contract ${name}</strong>${
            brokenSince && html` since ${timeElement(brokenSince)}`
          }
          <ul class="breaks">
            ${breaks.map((words) => html`<li>${words}</li>`)} ${left > 0 && html`<li>and ${left} more</li>`}
          </ul>`
      : state === 'kept'
        ? html`keeps its contract ${name}`
        : html`contract ${name}: not judged yet`
  }${unknownReason !== null && html`<p class="note">The last head could not be judged: ${unknownReason}</p>`}`
}
