// Answers questions about a snapshot. Everything in this folder is a pure function of the snapshot and the question, so that it can
// run in any thread.
import type { ViewName } from '@floe/contract'
import type { Snapshot } from '@floe/storage/icechunk'
import { writeItems, writeString } from '@floe/storage/json'
import { decodeGroup } from '../xarray/decode-group.ts'
import { buildDatasetPage } from './build-dataset-page.ts'
import { buildRefPage } from './build-ref-page.ts'
import { readGroupDocuments } from './group-documents.ts'
import { listDatasets } from './list-datasets.ts'
import type { SnapshotQuestion } from './question.ts'
import { renderDict, renderInfo, renderKeys } from './views.ts'

const renderView = { info: renderInfo, keys: renderKeys, dict: renderDict } as const

/**
 * Answers a question with the text of a body: JSON, or HTML for pages.
 *
 * @throws RequestProblem `group-not-found`
 * @throws CannotDecodeError for a view of a group that xarray cannot open
 */
export function answerQuestion(snapshot: Snapshot, question: SnapshotQuestion): string {
  switch (question.kind) {
    case 'view':
      return answerView(snapshot, question.view, question.group)
    case 'datasets':
      return writeItems(listDatasets(snapshot, question.below), writeString)
    case 'dataset-page':
      return buildDatasetPage(snapshot, question.group, question.page)
    case 'ref-page':
      return buildRefPage(snapshot, question.below, question.page)
  }
}

function answerView(snapshot: Snapshot, view: ViewName, path: string): string {
  const { group, members } = readGroupDocuments(snapshot, path)
  return renderView[view](decodeGroup(group, members))
}
