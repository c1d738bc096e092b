import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, DocumentAllowance } from '@floe/storage/json'
import { readFacts, type StatedFacts } from '../../self-description/read-facts.ts'
import { writeCitation, type WrittenCitation } from '../../self-description/write-citation.ts'
import { AttributeChains } from '../../groups/attribute-chain.ts'
import { readGroup } from '../../groups/group-documents.ts'
import { linkAbsolutely, type PageFacts } from '../page-facts.ts'

/** Which group is cited, and the absolute address of its page at the snapshot. */
type CitedGroup = { readonly repository: string; readonly group: string; readonly url: string }

/**
 * Says how to cite a group of a snapshot.
 *
 * @throws RequestProblem `group-not-found`
 * @throws CannotDecodeError, DocumentsTooLargeError when the document of the group cannot be read
 */
export function citeDataset(
  snapshot: Snapshot,
  group: string,
  page: PageFacts,
  cancellation?: Cancellation,
): WrittenCitation {
  const { attributes } = readGroup(snapshot, group, new DocumentAllowance({}, cancellation))
  const above = new AttributeChains(snapshot, cancellation).readAbove(group)
  const url = linkAbsolutely(page).dataset(page.repo, snapshot.id, group)
  return citeGroup(snapshot, { repository: page.repo, group, url }, readFacts([attributes, ...above]))
}

/** The same for a page, which has read the facts. */
export function citeGroup(snapshot: Snapshot, cited: CitedGroup, facts: StatedFacts): WrittenCitation {
  return writeCitation(facts, { ...cited, snapshotId: snapshot.id, writtenAt: snapshot.writtenAt })
}
