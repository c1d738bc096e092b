// Answers questions about a snapshot. The answer is a pure function of snapshot and question, so any thread can build it.
import type { DatasetDict, DatasetInfo, DatasetKeys, DatasetList } from '@floe/contract'
import type { IndexedDataset } from '@floe/storage/database'
import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, defaultMaxAnswerBytes, DocumentAllowance, JsonWriter } from '@floe/storage/json'
import { refPage } from '../pages/browse/ref-page.ts'
import { encodePage } from '../pages/page.ts'
import { decodeGroup, decodeVariables } from '../xarray/decode-group.ts'
import { buildDatasetPage } from './build-dataset-page.ts'
import { findGroup, readGroupDocuments } from './group-documents.ts'
import { linkPage, type RefPageAddress, showPageSubject } from './page-address.ts'
import type { Answerers, Answers, Question, SnapshotKind } from './question.ts'
import { describeDatasets } from './search/describe-dataset.ts'
import { type GroupFingerprints, listFingerprints } from './search/list-fingerprints.ts'
import { toDict, toInfo, toKeys } from './views.ts'

const answerers: Answerers<SnapshotKind, Snapshot> = {
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
  fingerprints: (snapshot, _, cancellation) =>
    openWriter(cancellation).write<GroupFingerprints>(listFingerprints(snapshot, cancellation)),
  descriptions: (snapshot, { groups }, cancellation) =>
    openWriter(cancellation).write<readonly IndexedDataset[]>(describeDatasets(snapshot, groups, cancellation)),
  'ref-page': (snapshot, { below, page }) => encodePage(buildRefPage(snapshot, below, page)),
}

/**
 * Answers a question with a body, which shares no memory with other values.
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

/**
 * Lists the groups that directly hold at least one array, sorted by UTF-8 bytes. With `below`, lists only that group and the groups
 * below it. A root that is itself an array is not a group, so the list is empty then.
 *
 * @throws RequestProblem `group-not-found` when there is no group `below`
 */
function listDatasets(snapshot: Snapshot, below: string): string[] {
  if (below !== '') findGroup(snapshot, below)
  const paths = snapshot.nodes.listParentsOfArrays()
  return below === '' ? paths : paths.filter((path) => path === below || path.startsWith(`${below}/`))
}

/**
 * Builds the page of a ref, its tree of groups, as an HTML document.
 *
 * @throws RequestProblem `group-not-found` when there is no group `below`
 */
function buildRefPage(snapshot: Snapshot, below: string, page: RefPageAddress): string {
  if (below !== '') findGroup(snapshot, below)
  const groups = [...snapshot.nodes].filter(({ kind }) => kind === 'group')
  return refPage(
    {
      at: showPageSubject(page, snapshot),
      groups: groups.map(({ path }) => ({ path, arrays: snapshot.nodes.countChildren(path).arrays })),
    },
    linkPage(page),
  )
}
