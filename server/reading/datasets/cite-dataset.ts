import type { Citation } from '@floe/contract'
import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, DocumentAllowance } from '@floe/storage/json'
import { findRetraction } from '../../remarks/select-remarks.ts'
import { readFacts, type StatedFacts } from '../../self-description/read-facts.ts'
import { writeCitation, type WrittenCitation } from '../../self-description/write-citation.ts'
import { AttributeChains } from '../../groups/attribute-chain.ts'
import { readGroup } from '../../groups/group-documents.ts'
import { writePythonSnippet } from '../../pages/dataset/snippets/open-snippets.ts'
import { findOpenAddress } from '../../pages/open-address.ts'
import { type DocumentFacts, linkAbsolutely } from '../page-facts.ts'

type GroupCitation = WrittenCitation & Pick<Citation, 'open_address' | 'code'>

/**
 * Says how to cite a group of a snapshot.
 *
 * @throws RequestProblem `group-not-found`
 * @throws CannotDecodeError, DocumentsTooLargeError when the document of the group cannot be read
 */
export function citeDataset(
  snapshot: Snapshot,
  group: string,
  page: DocumentFacts,
  cancellation?: Cancellation,
): GroupCitation {
  const { attributes } = readGroup(snapshot, group, new DocumentAllowance({}, cancellation))
  const above = new AttributeChains(snapshot, cancellation, page.metadata).readAbove(group)
  return citeGroup(snapshot, group, page, readFacts([attributes, ...above]))
}

/** The same for a page, which has read the facts. */
export function citeGroup(snapshot: Snapshot, group: string, page: DocumentFacts, facts: StatedFacts): GroupCitation {
  const { repo: repository } = page
  const url = linkAbsolutely(page).dataset(repository, snapshot.id, group)
  const retraction = findRetraction(page.remarks, group)?.text ?? null
  const cited = { repository, group, url, retraction, snapshotId: snapshot.id, writtenAt: snapshot.writtenAt }
  // Every reader of a citation sees the same code.
  const opened = { ...page, repository, location: null, ref: { kind: 'snapshot', name: snapshot.id } } as const
  return {
    ...writeCitation(facts, cited),
    open_address: findOpenAddress(opened),
    code: writePythonSnippet(opened, { group, reader: 'xarray' }),
  }
}
