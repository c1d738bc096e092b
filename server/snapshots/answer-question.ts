// Answers questions about a snapshot. Everything in this folder is a pure function of the snapshot and the question, so that it can
// run in any thread.
import type { DatasetDict, DatasetInfo, DatasetKeys, DatasetList } from '@floe/contract'
import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, defaultMaxAnswerBytes, DocumentAllowance, JsonWriter } from '@floe/storage/json'
import { encodePage } from '../web/page.ts'
import type { DecodedDataset } from '../xarray/dataset.ts'
import { decodeGroup } from '../xarray/decode-group.ts'
import { buildDatasetPage } from './build-dataset-page.ts'
import { buildRefPage } from './build-ref-page.ts'
import { readGroupDocuments } from './group-documents.ts'
import { listDatasets } from './list-datasets.ts'
import type { Answers, Question, SnapshotKind } from './question.ts'
import { toDict, toInfo, toKeys } from './views.ts'

type Answerers = {
  readonly [Kind in SnapshotKind]: (
    snapshot: Snapshot,
    question: Question<Kind>,
    cancellation: Cancellation | undefined,
  ) => Answers[Kind]
}

const answerers: Answerers = {
  info: (snapshot, { group }, cancellation) =>
    openWriter(cancellation).write<DatasetInfo>(toInfo(decode(snapshot, group, cancellation))),
  keys: (snapshot, { group }, cancellation) =>
    openWriter(cancellation).write<DatasetKeys>(toKeys(decode(snapshot, group, cancellation))),
  dict: (snapshot, { group }, cancellation) =>
    openWriter(cancellation).write<DatasetDict>(toDict(decode(snapshot, group, cancellation))),
  datasets: (snapshot, { below }, cancellation) =>
    openWriter(cancellation).write<DatasetList>(listDatasets(snapshot, below)),
  'dataset-page': (snapshot, { group, page }, cancellation) =>
    encodePage(buildDatasetPage(snapshot, group, page, cancellation)),
  'ref-page': (snapshot, { below, page }) => encodePage(buildRefPage(snapshot, below, page)),
}

/**
 * Answers a question with a body, in memory of its own.
 *
 * @throws RequestProblem `group-not-found`
 * @throws CannotDecodeError for a view of a group that xarray cannot open
 * @throws DocumentsTooLargeError when the documents of the group are larger than a limit
 * @throws AnswerTooLargeError
 * @throws what the cancellation throws
 */
export function answerQuestion<Kind extends SnapshotKind>(
  snapshot: Snapshot,
  question: Question<Kind>,
  cancellation?: Cancellation,
): Answers[Kind] {
  return answerers[question.kind](snapshot, question, cancellation)
}

function decode(snapshot: Snapshot, path: string, cancellation: Cancellation | undefined): DecodedDataset {
  const { group, members } = readGroupDocuments(snapshot, path, new DocumentAllowance({}, cancellation))
  return decodeGroup(group, members, cancellation)
}

function openWriter(cancellation: Cancellation | undefined): JsonWriter {
  return new JsonWriter(defaultMaxAnswerBytes, cancellation)
}
