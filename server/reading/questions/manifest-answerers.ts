// Computes the answers to questions about a snapshot and its manifests. A function looks up the manifests that it
// needs. If some have not been read, what it returns is dropped, and it is called again when they have been read.
import { writeGaps } from '../gaps/write-gaps.ts'
import type { SnapshotManifests } from '../gaps/snapshot-manifests.ts'
import type { ContractAnswerers } from './contract-answerers.ts'

/** Answers all questions about a snapshot and its manifests. */
export const manifestAnswerers = {
  gaps: (source, asked, cancellation) => writeGaps(source, asked, cancellation),
} as const satisfies ContractAnswerers<SnapshotManifests, 'manifests'>
