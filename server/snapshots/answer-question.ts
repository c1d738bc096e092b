// Answers questions about a snapshot. Everything in this folder is a pure function of the snapshot and the question, so that it can
// run in any thread.
import type { ViewName } from '@floe/contract'
import type { Snapshot } from '@floe/storage/icechunk'
import {
  AnswerTooLargeError,
  type Cancellation,
  defaultMaxAnswerBytes,
  DocumentAllowance,
  JsonWriter,
} from '@floe/storage/json'
import { decodeGroup } from '../xarray/decode-group.ts'
import { buildDatasetPage } from './build-dataset-page.ts'
import { buildRefPage } from './build-ref-page.ts'
import { readGroupDocuments } from './group-documents.ts'
import { listDatasets } from './list-datasets.ts'
import type { SnapshotQuestion } from './question.ts'
import { writeDict, writeInfo, writeKeys } from './views.ts'

const writeView = { info: writeInfo, keys: writeKeys, dict: writeDict } as const

/**
 * Answers a question with the bytes of a body, in memory of their own: JSON, or HTML for pages.
 *
 * @throws RequestProblem `group-not-found`
 * @throws CannotDecodeError for a view of a group that xarray cannot open
 * @throws DocumentsTooLargeError when the documents of the group are larger than a limit
 * @throws AnswerTooLargeError
 * @throws what the cancellation throws
 */
export function answerQuestion(
  snapshot: Snapshot,
  question: SnapshotQuestion,
  cancellation?: Cancellation,
): Uint8Array<ArrayBuffer> {
  switch (question.kind) {
    case 'view':
      return answerView(snapshot, question.view, question.group, cancellation)
    case 'datasets':
      return new JsonWriter(defaultMaxAnswerBytes, cancellation)
        .items(listDatasets(snapshot, question.below), (json, path) => json.string(path))
        .finish()
    case 'dataset-page':
      return encodePage(buildDatasetPage(snapshot, question.group, question.page, cancellation))
    case 'ref-page':
      return encodePage(buildRefPage(snapshot, question.below, question.page))
  }
}

function answerView(
  snapshot: Snapshot,
  view: ViewName,
  path: string,
  cancellation: Cancellation | undefined,
): Uint8Array<ArrayBuffer> {
  const { group, members } = readGroupDocuments(snapshot, path, new DocumentAllowance({}, cancellation))
  const json = new JsonWriter(defaultMaxAnswerBytes, cancellation)
  writeView[view](json, decodeGroup(group, members, cancellation))
  return json.finish()
}

/** Pages keep to budgets of their own, which are far smaller. */
function encodePage(page: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(page)
  if (bytes.length > defaultMaxAnswerBytes) throw new AnswerTooLargeError(defaultMaxAnswerBytes)
  return bytes
}
