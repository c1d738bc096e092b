import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, DocumentAllowance, type JsonObject } from '@floe/storage/json'
import { readFacts } from '../../self-description/read-facts.ts'
import { writeCitation, type WrittenCitation } from '../../self-description/write-citation.ts'
import { readAttributeChain } from '../attribute-chain.ts'
import { readGroup } from '../group-documents.ts'
import { linkAbsolutely, type PageAddress } from '../page-address.ts'

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
  page: PageAddress,
  cancellation?: Cancellation,
): WrittenCitation {
  readGroup(snapshot, group, new DocumentAllowance({}, cancellation))
  const url = linkAbsolutely(page).dataset(page.repo, snapshot.id, group)
  return citeGroup(snapshot, { repository: page.repo, group, url }, readAttributeChain(snapshot, group, cancellation))
}

/**
 * The same for a page, which a damaged document does not stop: it states nothing.
 *
 * @param chain attributes of the group, then of the groups above it
 */
export function citeGroup(snapshot: Snapshot, cited: CitedGroup, chain: readonly JsonObject[]): WrittenCitation {
  return writeCitation(readFacts(chain), { ...cited, snapshotId: snapshot.id, writtenAt: snapshot.writtenAt })
}
