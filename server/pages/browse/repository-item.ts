// A repository in the list of repositories.
import type { Remark } from '@floe/contract'
import { type RepositoryState, repositoryStateWords } from '@floe/contract/lists'
import type { Coverage } from '@floe/storage/database'
import { describeBox, describePeriod } from '../dataset/drawings/coverage-section.ts'
import { html, type Html } from '../html.ts'
import { clipText } from '../page-budget.ts'
import { byline, getCommitTitle, type ShownCommit, timeElement } from '../page-subject.ts'
import { barStrip } from '../parts/bar-strip.ts'
import { formatCount } from '../parts/format-count.ts'
import { writeRemark } from '../parts/remark-notes.ts'
import { type ExpectedBranch, showExpectedBranch } from './expected-branch.ts'

export type ShownRepository = {
  readonly name: string
  /** Stated by its metadata, else by its only dataset. */
  readonly title: string | null
  /** Stated by its metadata. */
  readonly summary: string | null
  /** What is wrong with it, the worst first. */
  readonly states: readonly RepositoryState[]
  /** Null until the repository has been read. */
  readonly formatVersion: number | null
  /** Null until the repository has been read; it may be unreadable. */
  readonly lastCommit: ShownCommit | null
  /** Since when it cannot be read; null if it can, or is not known to be unreadable. */
  readonly unreadableSince: Date | null
  /** What is expected of its branches, unmet ones first. */
  readonly expectations: readonly ExpectedBranch[]
  /** Retractions of the head of `main`, or of parts of it. */
  readonly retractions: readonly Remark[]
  /** How often `main` has moved on each of the last days, today last. */
  readonly moves: readonly number[]
  /** What the index of search knows of its datasets; null without one. */
  readonly coverage: Coverage | null
}

/** Longer texts are cut, in characters. */
const maxTitleLength = 200
const maxSummaryLength = 300
const maxRemarkLength = 500
/** The page of the repository has more of them. */
const maxWordsLength = 160

/** Expectations and retractions that are shown for each repository. The page of the repository shows all. */
const maxNotes = 3

/** The item of a repository, whose page has the address. */
export function repositoryItem(repository: ShownRepository, address: string): Html {
  const { name, title, summary, states, coverage } = repository
  return html`<li>
    <div>
      <a href="${address}">${name}</a>
      ${states.map((state) => html`<strong class="late">${repositoryStateWords[state]}</strong> `)}
      ${title && html`<p>${clipText(title, maxTitleLength)}</p>`}
      ${summary && html`<p class="about">${clipText(summary, maxSummaryLength)}</p>`}
      ${coverage && html`<p class="about">${describeCoverage(coverage)}</p>`}
    </div>
    <div>${describeCommits(repository)}</div>
    ${noteList(repository)}
  </li>`
}

function describeCoverage({ datasets, box, period }: Coverage): Html {
  return html`${formatCount(datasets, 'dataset')}${period && html` · ${describePeriod(period.start, period.end)}`}${
    box && ` · ${describeBox(box)}`
  }`
}

function describeCommits({ lastCommit, formatVersion, unreadableSince, moves }: ShownRepository): Html {
  const seen = lastCommit !== null && getCommitTitle(lastCommit)
  if (unreadableSince !== null) {
    return html`<p class="unread">
      Cannot be read since ${timeElement(unreadableSince)}.${seen !== false && ` Last commit seen: ${seen}`}
    </p>`
  }
  if (lastCommit === null) return html`<p class="unread">Not read yet, or cannot be read.</p>`
  // Floe may be younger than the last commit, so it does not say that there were no updates.
  const hasMoved = moves.some((number) => number > 0)
  return html`${
      hasMoved &&
      html`${barStrip(moves)}
        <p class="about">${describeMoves(moves)}</p>`
    }
    <p>${seen}</p>
    <p class="about">${byline(lastCommit)}${formatVersion !== null && ` · format\u00a0${formatVersion}`}</p>`
}

/** `31 updates in 4 weeks, on 12 days`. */
function describeMoves(moves: readonly number[]): string {
  const weeks = `in ${formatCount(moves.length / 7, 'week')}`
  const count = moves.reduce((sum, number) => sum + number, 0)
  const days = moves.filter((number) => number > 0).length
  return `${formatCount(count, 'update')} ${weeks}, on ${formatCount(days, 'day')}`
}

/** Without the expectations of a repository that cannot be read, because nobody knows whether it was updated. */
function noteList({ expectations, unreadableSince, retractions }: ShownRepository): Html | false {
  const notes = [
    ...retractions.map((remark) => clipText(writeRemark(remark), maxRemarkLength)),
    ...(unreadableSince === null ? expectations.map((one) => showExpectedBranch(one, maxWordsLength)) : []),
  ]
  const left = notes.length - maxNotes
  return (
    notes.length > 0 &&
    html`<p class="expected">
      ${notes.slice(0, maxNotes).map((note) => html`<span>${note}</span> `)} ${left > 0 && `and ${left} more`}
    </p>`
  )
}
