// The commit that a page describes, and where to go from it: its history, what it changed, and the same page at another ref.
import type { JsonObject } from '@floe/storage/json'
import { attributeList } from './attribute-list.ts'
import { html, type Html } from './html.ts'
import { clipText, moreNote } from './page-budget.ts'
import type { PageLinks } from './page-links.ts'
import { nameRefKind, noMessage, type PageSubject, timeElement } from './page-subject.ts'

const maxMessageLength = 2_000
const metadataBytes = 10_000

/** @param linkTo returns the address of this page at another ref */
export function commitCard(at: PageSubject, links: PageLinks, linkTo: (ref: string) => string): Html {
  const { commit, ref, repository, navigation } = at
  const { snapshotId } = commit
  return html`<dl class="commit">
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
      ${metadataFacts(commit.metadata)}
    </dl>
    <nav class="ways" aria-label="History, branches and tags">
      ${
        navigation.parentId !== null &&
        html`<p>
          <a href="${links.diff(repository, navigation.parentId, snapshotId)}" rel="nofollow"
            >What this commit changed</a
          >
        </p>`
      }
      <p><a href="${links.history(repository, ref.name)}">History of ${ref.name}</a></p>
      ${refSwitch(at, linkTo)}
      <p><a href="${links.repository(repository)}">All branches and tags</a></p>
    </nav>`
}

/** What the writer of a commit, or of a repository, recorded beside it. */
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
  // A branch hides a tag of its name.
  const names = [...new Set([...branches, ...tags])].filter((name) => name !== ref.name)
  if (names.length === 0) return false
  return html`<details>
    <summary>Switch branch or tag</summary>
    <ul>
      ${names.map((name) => html`<li><a href="${linkTo(name)}">${name}</a></li>`)}
    </ul>
  </details>`
}
