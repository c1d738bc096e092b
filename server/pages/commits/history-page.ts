// The page of the commits of a ref, with the branches that branch off them.
import { html, type Html } from '../html.ts'
import { formatCount } from '../parts/format-count.ts'
import { deploymentLayout, feedViews, masthead } from '../layout.ts'
import { linkFeed, type PageLinks } from '../page-links.ts'
import { listRefBreadcrumbs, type PageSubject } from '../page-subject.ts'
import { type BranchCalendar, branchCalendar } from './branch-calendar.ts'
import { arrangeRows, type GraphCommit, type SideBranch } from './commit-graph.ts'
import { graphList } from './graph-list.ts'
import { pathForm } from '../parts/path-form.ts'

/** The members of the query of a history that all its pages share. */
export type HistorySelection = {
  /** The pattern of paths that the commits changed; undefined for all commits. */
  readonly path?: string | undefined
  /** The time at which the list ends. */
  readonly since?: string | undefined
  /** The time at which the list begins, or the snapshot before which it ends. */
  readonly until?: string | undefined
  /** Maximum number of commits of a page. */
  readonly limit?: number | undefined
}

/** A part of the history of a ref, with the branches that branch off it. */
export type ShownHistory = {
  readonly ref: PageSubject['ref']
  /** As the address has it. */
  readonly selection: HistorySelection
  /** Newest first. */
  readonly commits: readonly GraphCommit[]
  readonly sides: readonly SideBranch[]
  /** Branches and tags whose commits are not drawn, because they are older or branch off none of the drawn commits. */
  readonly notDrawn: readonly string[]
  /** Whether the first commit is the head, to which the ref points. */
  readonly isFromHead: boolean
  /** Id of the last commit here if older ones follow; null otherwise. */
  readonly next: string | null
  /** Id of the last commit's parent if its object no longer exists; null otherwise. */
  readonly missing: string | null
}

export type HistoryPageData = {
  readonly deployment: PageSubject['deployment']
  readonly repository: string
  readonly asOf: PageSubject['asOf']
  readonly history: ShownHistory
  /** Null unless the page begins with the head of a branch, and shows all its commits. */
  readonly calendar: BranchCalendar | null
}

/** Maximum number of branches and tags that are listed instead of drawn; the others are counted. */
const maxNotDrawn = 20

const pathWords = { some: 'Only commits that changed this path', all: 'All commits' }

/** The page of the history of a ref. */
export function historyPage(data: HistoryPageData, links: PageLinks): string {
  const { deployment, repository, asOf, history, calendar } = data
  const { ref, selection } = history
  const feed = linkFeed(repository, ref.name, links, selection.path)
  return deploymentLayout(links, {
    deployment,
    title: [`History of ${ref.name}`, repository, deployment.org],
    alternates: [feed],
    breadcrumbs: [...listRefBreadcrumbs({ deployment, repository, ref }, links), { text: 'history' }],
    main: html`${masthead(`History of ${repository}`, ref.name, feedViews(feed))}
      ${
        asOf !== null &&
        'behind' in asOf &&
        html`<p class="note">
          The last good head of ${asOf.name},
          <a href="${links.good(repository, asOf.name)}">${formatCount(asOf.behind, 'head')} behind</a>.
        </p>`
      }
      ${calendar && branchCalendar(repository, calendar, links)}
      <h2 class="spoken">Commits</h2>
      ${pathForm(pathWords, selection, (query) => links.history(repository, ref.name, query))}
      ${historyGraph(repository, history, links)} ${pageLinks(repository, history, links)}`,
  })
}

/** The commits as a graph, with notes about what it does not show. */
export function historyGraph(repository: string, history: ShownHistory, links: PageLinks): Html {
  const { commits, sides, notDrawn, isFromHead, next, missing, selection } = history
  const rows = arrangeRows(commits, sides, { hasOlder: next !== null || missing !== null, hasNewer: !isFromHead })
  const nothing = selection.path === undefined ? 'There are no more commits.' : noChangesText(selection.path, next)
  return html`${commits.length === 0 && html`<p class="note">${nothing}</p>`} ${graphList(repository, rows, links)}
  ${
    missing !== null &&
    html`<p class="note">The history ends here: snapshot <code>${missing}</code> no longer exists.</p>`
  }
  ${notDrawn.length > 0 && notDrawnNote(repository, notDrawn, links)}`
}

function noChangesText(path: string, next: string | null): string {
  return `None of the examined commits changed ${path}.${next === null ? '' : ' Older commits may have.'}`
}

function notDrawnNote(repository: string, names: readonly string[], links: PageLinks): Html {
  const leftOut = names.length - maxNotDrawn
  return html`<p class="note not-drawn">
    Branches and tags not shown here:
    ${names.slice(0, maxNotDrawn).map((name) => html`<a href="${links.history(repository, name)}">${name}</a> `)}
    ${leftOut > 0 && `and ${leftOut.toLocaleString('en')} more`}
  </p>`
}

function pageLinks(
  repository: string,
  { ref, selection, isFromHead, next }: ShownHistory,
  links: PageLinks,
): Html | false {
  if (isFromHead && next === null) return false
  // A list that begins at a time does not have the newest commits.
  const newest = links.history(repository, ref.name, { ...selection, until: undefined })
  const older = next !== null && links.history(repository, ref.name, { ...selection, before: next })
  return html`<nav class="pages" aria-label="Pages of commits">
    ${!isFromHead && html`<a href="${newest}">Newest commits</a>`}
    ${older !== false && html`<a href="${older}" rel="next">Older commits</a>`}
  </nav>`
}
