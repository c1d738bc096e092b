import type { Cancellation } from '@floe/storage/json'
import { diffPage } from '../../pages/commits/diff-page.ts'
import type { ChunkFacts, ShownChangedNodes } from '../../pages/commits/collect-changes.ts'
import type { ShownComparison } from '../../pages/commits/verdict-section.ts'
import { linkPage, type PageFacts, showCommit } from '../page-facts.ts'
import type { ChangedChunks, ChangedNodes, ComparedSnapshots } from './changes.ts'
import { countWritten } from './changed-chunks/count-written.ts'
import { DocumentComparison } from './compare-documents.ts'

/** The address of the page; its `ref` is the later one. */
export type DiffPageFacts = PageFacts & { readonly fromRef: PageFacts['ref'] }

/**
 * Builds the page of what changed between two snapshots as an HTML document. Compares only the documents that the page
 * shows.
 *
 * @param comparison what readers see differently
 * @param facts what is known about arrays with changed chunks
 * @throws DocumentsTooLargeError, and what the cancellation throws
 */
export function buildDiffPage(
  { before, after, changes, chunksUnavailable }: ComparedSnapshots,
  comparison: ShownComparison,
  facts: ReadonlyMap<ChangedChunks, ChunkFacts>,
  page: DiffPageFacts,
  cancellation?: Cancellation,
): string {
  const documents = new DocumentComparison(before.nodes, after.nodes, cancellation)
  return diffPage(
    {
      deployment: page.deployment,
      repository: page.repo,
      from: { ref: page.fromRef, commit: showCommit(before) },
      to: { ref: page.ref, commit: showCommit(after) },
      changes: {
        groups: showNodes(changes.groups, documents),
        arrays: showNodes(changes.arrays, documents),
        moves: changes.moves,
        chunks:
          changes.chunks?.map((changed) => ({
            ...changed,
            countWritten: () => countWritten({ before, after }, changed, cancellation),
            facts: facts.get(changed) ?? null,
          })) ?? null,
      },
      comparison,
      remarks: page.remarks,
      chunksUnavailable,
    },
    linkPage(page),
  )
}

function showNodes({ created, deleted, updated }: ChangedNodes, documents: DocumentComparison): ShownChangedNodes {
  return {
    created,
    deleted,
    updated: updated.map((node) => ({
      path: node.path,
      isReplaced: node.isReplaced,
      compare: () => documents.compare(node),
    })),
  }
}
