import type { PromiseSection } from '../proven-promise.ts'

/** Differences between two snapshots. */
export const whatChanged: PromiseSection = {
  title: 'What changed',
  introduction:
    "Floe's own promises. `npm run compare -- diffs` compares random histories with the official library: see " +
    '[measurements](measurements.md).',
  promises: {
    'between a snapshot and its descendant, all but replaced nodes are listed as in official Icechunk': [
      'server/reading/diff/list-logged-changes.ts',
      'listed.created.push(path)',
      'void 0',
    ],
    'a node that replaced another one at its path is updated, with its differences from the other one': [
      'server/reading/diff/match-nodes.ts',
      'isReplaced ? old : null',
      'isReplaced ? null : null',
    ],
    'an updated node shows its differences, with numbers as they are stored': [
      'server/reading/diff/compare-documents.ts',
      'listChangedMembers(old.attributes, current.attributes, areShownAlike)',
      '[]',
    ],
    'the nodes of two snapshots are compared if the first is not an ancestor of the second': [
      'server/reading/diff/compare-sources.ts',
      'compareNodes(before',
      'compareNodes(after',
    ],
    'the answer says when a transaction log is missing': [
      'storage/repositories/icechunk/repository/read-logs.ts',
      'found.length <',
      'found.length >',
    ],
    'counts include the entries that are not listed': [
      'server/reading/diff/write-diff.ts',
      'moved: moves',
      'moved: 10_000 || moves',
    ],
    '`/diff?manifests=true` lists the gaps of each array that were filled': [
      'server/reading/diff/changed-chunks/filled-gaps.ts',
      'Math.min(lastBefore, lastAfter)',
      'Math.max(lastBefore, lastAfter)',
    ],
    '`/diff?manifests=true` adds up the stored bytes of the arrays with changed chunks, before and after': [
      'server/reading/diff/changed-chunks/told-chunks.ts',
      "this.#listBytes(this.#before, chunks, 'before')",
      "this.#listBytes(this.#after, chunks, 'after')",
    ],
  },
}
