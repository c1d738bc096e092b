// Answers questions about a snapshot. The answer is a pure function of snapshot and question, so any thread can build
// it.
import type {
  Citation,
  CroissantDataset,
  DatasetContract,
  DatasetDict,
  DatasetInfo,
  DatasetKeys,
  DatasetList,
  DcatCatalog,
  StacCatalog,
  StacCollection,
} from '@floe/contract'
import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, defaultMaxAnswerBytes, DocumentAllowance, JsonWriter } from '@floe/storage/json'
import { readDocument } from '../../contract-document.ts'
import type { FirstDatasets } from '../../pages/browse/dataset-list.ts'
import { refPage } from '../../pages/browse/ref-page.ts'
import { dcatRepository } from '../../pages/catalogues/dcat-catalog.ts'
import { croissantDataset } from '../../pages/catalogues/schema-org.ts'
import { sitemap } from '../../pages/catalogues/sitemap.ts'
import { stacRepository } from '../../pages/catalogues/stac-catalog.ts'
import { stacCollection } from '../../pages/catalogues/stac-collection.ts'
import { encodePage } from '../../pages/page.ts'
import { decodeVariables } from '../../xarray/decode-group.ts'
import { buildDatasetPage } from './build-dataset-page.ts'
import { citeDataset } from './cite-dataset.ts'
import { compareContract } from '../compatibility/compare-contract.ts'
import { judgeContract } from '../compatibility/judge-contract.ts'
import { writeContractVerdict } from '../compatibility/write-compatibility.ts'
import { judgeCompleteness } from '../completeness/judge-completeness.ts'
import { writeCompleteness } from '../completeness/write-completeness.ts'
import { decodeGroupAt, findGroup, readGroupDocuments } from '../group-documents.ts'
import { listFirstDatasets } from './list-first-datasets.ts'
import { linkAbsolutely, linkPage, type RefPageAddress, showPageSubject } from '../page-address.ts'
import type { Answerers, Answers, Question, SnapshotKind } from './question.ts'
import { recordDataset, recordGroups } from './record-dataset.ts'
import { type GroupFingerprints, listFingerprints } from '../search/list-fingerprints.ts'
import { writeShard } from '../search/write-shard.ts'
import { toDict, toInfo, toKeys } from './views.ts'

const answerers: Answerers<SnapshotKind, Snapshot> = {
  info: (snapshot, { group }, cancellation) =>
    openWriter(cancellation).write<DatasetInfo>(toInfo(decodeGroupAt(snapshot, group, cancellation))),
  keys: (snapshot, { group: path }, cancellation) => {
    const allowance = new DocumentAllowance({}, cancellation)
    const { group, members } = readGroupDocuments(snapshot, path, allowance)
    return openWriter(cancellation).write<DatasetKeys>(toKeys(decodeVariables(group, members, cancellation)))
  },
  dict: (snapshot, { group }, cancellation) =>
    openWriter(cancellation).write<DatasetDict>(toDict(decodeGroupAt(snapshot, group, cancellation))),
  datasets: (snapshot, { below }, cancellation) =>
    openWriter(cancellation).write<DatasetList>(listDatasets(snapshot, below)),
  completeness: (snapshot, { below }, cancellation) => writeCompleteness(snapshot, below, cancellation),
  'dataset-page': (snapshot, { group, page }, cancellation) =>
    encodePage(buildDatasetPage(snapshot, group, page, cancellation)),
  citation: (snapshot, question, cancellation) =>
    openWriter(cancellation).write<Citation>(citeDataset(snapshot, question, cancellation)),
  'contract-verdict': (snapshot, { contract }, cancellation) =>
    writeContractVerdict(
      snapshot,
      compareContract(snapshot, parseContract(readDocument(contract)), cancellation),
      cancellation,
    ),
  'contract-judgement': (snapshot, { contract }, cancellation) =>
    judgeContract(snapshot, parseContract(contract), cancellation),
  'completeness-judgement': judgeCompleteness,
  fingerprints: (snapshot, _, cancellation) =>
    openWriter(cancellation).write<GroupFingerprints>(listFingerprints(snapshot, cancellation)),
  shard: writeShard,
  'stac-repository': (snapshot, { page }, cancellation) =>
    openWriter(cancellation).write<StacCatalog>(stacRepository(page, listDatasets(snapshot, ''), linkAbsolutely(page))),
  'stac-collection': (snapshot, { group, page }, cancellation) =>
    openWriter(cancellation).write<StacCollection>(
      stacCollection(recordDataset(snapshot, group, page, cancellation), linkAbsolutely(page)),
    ),
  croissant: (snapshot, { group, page }, cancellation) =>
    openWriter(cancellation).write<CroissantDataset>(
      croissantDataset(recordDataset(snapshot, group, page, cancellation), linkAbsolutely(page)),
    ),
  'dcat-repository': (snapshot, { page }, cancellation) => {
    const writer = openWriter(cancellation)
    const records = recordGroups(snapshot, listDatasets(snapshot, ''), page, cancellation)
    const fitting = takeWhile(records, () => writer.length < maxDatasetBytes)
    return writer.write<DcatCatalog>(dcatRepository(page, fitting, linkAbsolutely(page)))
  },
  sitemap: (snapshot, { page }) => {
    const { repo, ref } = page
    const lastModified = snapshot.writtenAt
    return encodePage(sitemap({ repo, ref, lastModified, groups: listDatasets(snapshot, '') }, linkAbsolutely(page)))
  },
  'first-datasets': (snapshot, _, cancellation) =>
    openWriter(cancellation).write<FirstDatasets>(listFirstDatasets(snapshot, cancellation)),
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

function parseContract(text: string): DatasetContract {
  return JSON.parse(text) as DatasetContract // it was checked when it came from outside
}

/** Size of a catalog beyond which it gets no more datasets, in bytes. */
const maxDatasetBytes = 24 * 1024 * 1024

function* takeWhile<Item>(items: Iterable<Item>, hasRoom: () => boolean): Generator<Item, undefined, undefined> {
  for (const item of items) {
    if (!hasRoom()) return
    yield item
  }
}

function openWriter(cancellation: Cancellation | undefined): JsonWriter {
  return new JsonWriter(defaultMaxAnswerBytes, cancellation)
}

/**
 * Lists the groups with at least one array directly in them, sorted by UTF-8 bytes. With `below`, lists only that group
 * and the groups below it. A root that is itself an array is not a group, so the list is empty then.
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
