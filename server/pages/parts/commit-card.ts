// The commit that a page is about, with links to its history, its changes, and the same page at another ref.
import type { JsonObject } from '@floe/storage/json'
import { attributeList } from './attribute-list.ts'
import { formatCount } from './format-count.ts'
import { html, type Html } from '../html.ts'
import { checkMarks } from './check-marks.ts'
import { clipText, moreNote } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'
import { nameRefKind, noMessage, type PageSubject, timeElement } from '../page-subject.ts'

const maxMessageLength = 2_000
const metadataBytes = 10_000

/**
 * The facts and links of the commit.
 *
 * @param group - the group that the page is about; undefined for the page of the ref
 */
export function commitCard(at: PageSubject, links: PageLinks, group?: string): Html {
  const { commit, ref, marks, repository, navigation } = at
  const { snapshotId } = commit
  const linkTo = (ref: string) =>
    group === undefined ? links.ref(repository, ref) : links.dataset(repository, ref, group)
  return html`<dl class="commit">
      ${choiceFacts(at, links, linkTo)}
      ${
        ref.kind !== 'snapshot' &&
        html`<dt>${nameRefKind(ref.kind)}</dt>
          <dd>${ref.name}</dd>`
      }
      <dt>Snapshot</dt>
      <dd>
        <a href="${linkTo(snapshotId)}" title="Permanent link to this page" data-copy><code>${snapshotId}</code></a>
      </dd>
      <dt>Committed</dt>
      <dd>${timeElement(commit.writtenAt)}</dd>
      <dt>Author</dt>
      <dd>${commit.author ?? html`<em>unknown</em>`}</dd>
      <dt>Message</dt>
      <dd class="message">${clipText(commit.message.trim() || noMessage, maxMessageLength)}</dd>
      ${
        marks !== null &&
        html`<dt>Checks</dt>
          <dd>${checkMarks(marks)}</dd>`
      }
      ${metadataFacts(commit.metadata)}
    </dl>
    <nav class="commit-links" aria-label="History, branches and tags">
      ${
        navigation.parentId !== null &&
        html`<p>
          <a href="${links.diff(repository, navigation.parentId, snapshotId)}" rel="nofollow"
            >What this commit changed</a
          >
        </p>`
      }
      <p><a href="${links.history(repository, ref.name)}">History of ${ref.name}</a></p>
      ${refSwitch(at, linkTo)} ${timeSwitch(at, links, group)}
      <p><a href="${links.repository(repository)}">All branches and tags</a></p>
    </nav>`
}

/** What led to the snapshot, if the address names neither it nor a ref. */
function choiceFacts({ asOf, repository }: PageSubject, links: PageLinks, linkTo: (ref: string) => string) {
  if (asOf === null) return null
  const ref = html`<a href="${linkTo(asOf.name)}">${asOf.name}</a>`
  if ('time' in asOf)
    return html`<dt>As of</dt>
      <dd>${timeElement(asOf.time)}, ${asOf.kind} ${ref}</dd>`
  return html`<dt>Last good head</dt>
    <dd><a href="${links.good(repository, asOf.name)}">${formatCount(asOf.behind, 'head')} behind</a> ${ref}</dd>`
}

/** The metadata of a commit or of a repository; false when there is none. */
export function metadataFacts(metadata: JsonObject): Html | false {
  const { list, leftOut } = attributeList(metadata, metadataBytes)
  return (
    metadata.size > 0 &&
    html`<dt>Metadata</dt>
      <dd>${list} ${moreNote(leftOut, 'are not shown.')}</dd>`
  )
}

function refSwitch(
  { ref, navigation: { branches, tags } }: PageSubject,
  linkTo: (ref: string) => string,
): Html | false {
  // If a branch and a tag have the same name, the name means the branch.
  const names = [...new Set([...branches, ...tags])].filter((name) => name !== ref.name)
  if (names.length === 0) return false
  return html`<details>
    <summary>Switch branch or tag</summary>
    <ul>
      ${names.map((name) => html`<li><a href="${linkTo(name)}">${name}</a></li>`)}
    </ul>
  </details>`
}

/** A form that switches to the last snapshot at or before a date. It needs no script, because the server redirects. */
function timeSwitch({ ref, asOf, repository }: PageSubject, links: PageLinks, group: string | undefined): Html {
  const date = asOf !== null && 'time' in asOf && asOf.time.toISOString().slice(0, 10)
  return html`<form class="filter" action="${links.chooseTime(repository)}">
    <label for="at">${asOf?.name ?? ref.name} at the start of a day (UTC)</label>
    <input id="at" name="at" type="date" value="${date}" required />
    <input type="hidden" name="ref" value="${asOf?.name ?? ref.name}" />
    ${group !== undefined && html`<input type="hidden" name="group" value="${group}" />`}
    <button>Show</button>
  </form>`
}
