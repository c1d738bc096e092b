// The page of the commits of a ref, with the branches that branch off them.
import { html, type Html } from '../html.ts'
import { deploymentLayout, masthead } from '../layout.ts'
import type { PageLinks } from '../page-links.ts'
import { listFirstSteps, nameRefKind, type PageSubject } from '../page-subject.ts'
import { arrangeRows, type GraphCommit, type SideBranch } from './commit-graph.ts'
import { graphList } from './graph-list.ts'

export type ShownHistory = {
  readonly ref: PageSubject['ref']
  /** Newest first. */
  readonly commits: readonly GraphCommit[]
  readonly sides: readonly SideBranch[]
  /** Branches and tags that are not drawn, because they branch off too far back or elsewhere. */
  readonly elsewhere: readonly string[]
  /** Whether the first commit is the one that the ref points to. */
  readonly isFromHead: boolean
  /** The last commit of this part when older ones follow; null otherwise. */
  readonly next: string | null
  /** The parent of the last commit, if its object is gone. */
  readonly missing: string | null
}

export type HistoryPageData = {
  readonly deployment: PageSubject['deployment']
  readonly repository: string
  readonly history: ShownHistory
}

/** Maximum number of listed branches that are not drawn; the others are counted. */
const maxElsewhere = 20

export function historyPage({ deployment, repository, history }: HistoryPageData, links: PageLinks): string {
  const { ref } = history
  return deploymentLayout(links, {
    deployment,
    title: [`History of ${ref.name}`, repository, deployment.org],
    breadcrumbs: [
      ...listFirstSteps({ deployment, repository }, links),
      { text: ref.name, href: links.ref(repository, ref.name), label: `${nameRefKind(ref.kind)} ${ref.name}` },
      { text: 'history' },
    ],
    main: html`${masthead(`History of ${repository}`, ref.name)}
      <h2 class="spoken">Commits</h2>
      ${historyGraph(repository, history, links)} ${pageLinks(repository, history, links)}`,
  })
}

export function historyGraph(repository: string, history: ShownHistory, links: PageLinks): Html {
  const { commits, sides, elsewhere, isFromHead, next, missing } = history
  const rows = arrangeRows(commits, sides, { continues: next !== null || missing !== null, comesFrom: !isFromHead })
  return html`${commits.length === 0 && html`<p class="note">There are no more commits.</p>`}
  ${graphList(repository, rows, links)}
  ${missing !== null && html`<p class="note">The history ends here: snapshot <code>${missing}</code> no longer exists.</p>`}
  ${elsewhere.length > 0 && elsewhereNote(repository, elsewhere, links)}`
}

function elsewhereNote(repository: string, names: readonly string[], links: PageLinks): Html {
  const leftOut = names.length - maxElsewhere
  return html`<p class="note elsewhere">
    Not shown here:
    ${names.slice(0, maxElsewhere).map((name) => html`<a href="${links.history(repository, name)}">${name}</a> `)}
    ${leftOut > 0 && `and ${leftOut.toLocaleString('en')} more branches and tags`}
  </p>`
}

function pageLinks(repository: string, { ref, isFromHead, next }: ShownHistory, links: PageLinks): Html | false {
  if (isFromHead && next === null) return false
  return html`<nav class="pages" aria-label="Pages of commits">
    ${!isFromHead && html`<a href="${links.history(repository, ref.name)}">Newest commits</a>`}
    ${next !== null && html`<a href="${links.history(repository, ref.name, next)}" rel="next">Older commits</a>`}
  </nav>`
}
