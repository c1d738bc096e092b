// Computes the answers to questions about a snapshot and its manifests. A function looks up the manifests that it needs.
// If some have not been read, what it returns is dropped, and it is called again when they have been read.
import { encodePage } from '../../pages/page.ts'
import { buildGapsPage } from '../gaps/build-gaps-page.ts'
import { writeGaps } from '../gaps/write-gaps.ts'
import type { SnapshotManifests } from '../gaps/snapshot-manifests.ts'
import { buildDatasetPage } from './build-dataset-page.ts'
import type { ContractAnswerers, PageAnswerers } from './contract-answerers.ts'

/** Answers all questions about a snapshot and its manifests. */
export const manifestAnswerers = {
  gaps: (source, asked, cancellation) => writeGaps(source, asked, cancellation),
  'gaps-page': (source, asked, cancellation) => encodePage(buildGapsPage(source, asked, cancellation)),
  'dataset-page': (source, { group, page }, cancellation) =>
    encodePage(buildDatasetPage(source, group, page, cancellation)),
} as const satisfies ContractAnswerers<SnapshotManifests, 'manifests'> & PageAnswerers<SnapshotManifests, 'gaps-page'>
