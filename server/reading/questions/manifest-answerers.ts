// Computes the answers to questions about a snapshot and its manifests. A function looks up the manifests that it needs.
// If some have not been read, what it returns is dropped, and it is called again when they have been read.
import { encodePage } from '../../pages/page.ts'
import { buildGapsPage } from '../gaps/build-gaps-page.ts'
import { judgeGaps } from '../gaps/judge-gaps.ts'
import { writeGaps } from '../gaps/write-gaps.ts'
import type { SnapshotManifests } from '../gaps/snapshot-manifests.ts'
import { buildDatasetPage } from './build-dataset-page.ts'
import type { ContractAnswerers, PageAnswerers } from './contract-answerers.ts'

/** Answers the questions of the contract. */
const contractAnswerers = {
  gaps: (source, asked, cancellation) => writeGaps(source, asked, cancellation),
  'gaps-page': (source, asked, cancellation) => encodePage(buildGapsPage(source, asked, cancellation)),
  'dataset-page': (source, { group, page }, cancellation) =>
    encodePage(buildDatasetPage(source, group, page, cancellation)),
} as const satisfies ContractAnswerers<SnapshotManifests, 'manifests'> & PageAnswerers<SnapshotManifests, 'gaps-page'>

/** Answers all questions: those of the contract, then one that only expectations ask. */
export const manifestAnswerers = {
  ...contractAnswerers,
  /** Whether the steps along a dimension have this share of their chunks written. */
  'gaps-judgement': judgeGaps,
} as const
