import type { PromiseSection } from '../proven-promise.ts'

/** Differences between two snapshots. */
export const whatChanged: PromiseSection = {
  title: 'What changed',
  introduction:
    "Floe's own promises. `npm run compare -- diffs` compares random histories with the official library: see [measurements](measurements.md).",
  promises: [
    {
      promise:
        'between a snapshot and its descendants, the lists and the counts of chunks are the same as in official Icechunk',
      test: [
        'server/metadata/diff.test.ts',
        'between a snapshot and its descendants, what changed is what official Icechunk says, in both versions',
      ],
      mutation: ['server/reading/diff/list-logged-changes.ts', 'count: logs.chunks.get(id) ?? 0', 'count: 0'],
    },
    {
      promise: 'an updated node shows its differences, with numbers as they are stored',
      test: ['server/reading/diff/answer-diff.test.ts', 'only what differs is listed, with numbers as they are stored'],
      mutation: [
        'server/reading/diff/compare-documents.ts',
        'updated.push([name, [old, value]])',
        'updated.push([name, [value, old]])',
      ],
    },
    {
      promise: 'the nodes of two snapshots are compared if the first is not an ancestor of the second',
      test: [
        'server/metadata/diff.test.ts',
        'where the first snapshot is not an ancestor, the nodes of both are compared',
      ],
      mutation: [
        'server/reading/diff/answer-diff.ts',
        'compareNodes(before, after, cancellation)',
        'compareNodes(after, after, cancellation)',
      ],
    },
    {
      promise: 'the answer says when a transaction log is missing',
      test: [
        'server/metadata/diff.test.ts',
        'without the log of a commit between, the nodes are compared, and the answer says so',
      ],
      mutation: ['storage/icechunk/repository/read-logs.ts', 'found.length < ids.length', 'found.length < 0'],
    },
    {
      promise: 'counts include the entries that are not listed',
      test: ['server/reading/diff/answer-diff.test.ts', '10,000 entries are listed, and the counts are those of all'],
      mutation: [
        'server/reading/diff/write-diff.ts',
        'moved: moves.length',
        'moved: Math.min(moves.length, maxEntries)',
      ],
    },
  ],
}
