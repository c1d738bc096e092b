// Answers questions about a snapshot. Everything in this folder is a pure function of the snapshot and the question, so that it can
// run in any thread.
import type { DatasetDict, DatasetInfo, DatasetKeys, DatasetList } from '@floe/contract'
import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, defaultMaxAnswerBytes, DocumentAllowance, JsonWriter } from '@floe/storage/json'
import { encodePage } from '../pages/page.ts'
import { decodeGroup, decodeVariables } from '../xarray/decode-group.ts'
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
  info: (snapshot, { group: path }, cancellation) => {
    const { group, members } = readDocuments(snapshot, path, cancellation)
    return openWriter(cancellation).write<DatasetInfo>(toInfo(decodeGroup(group, members, cancellation)))
  },
  keys: (snapshot, { group: path }, cancellation) => {
    const { group, members } = readDocuments(snapshot, path, cancellation)
    return openWriter(cancellation).write<DatasetKeys>(toKeys(decodeVariables(group, members, cancellation)))
  },
  dict: (snapshot, { group: path }, cancellation) => {
    const { group, members } = readDocuments(snapshot, path, cancellation)
    return openWriter(cancellation).write<DatasetDict>(toDict(decodeGroup(group, members, cancellation)))
  },
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

function readDocuments(snapshot: Snapshot, path: string, cancellation: Cancellation | undefined) {
  return readGroupDocuments(snapshot, path, new DocumentAllowance({}, cancellation))
}

function openWriter(cancellation: Cancellation | undefined): JsonWriter {
  return new JsonWriter(defaultMaxAnswerBytes, cancellation)
}
