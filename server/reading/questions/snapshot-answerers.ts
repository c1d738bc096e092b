// Computes the answers to questions about a snapshot. Each is a pure function of snapshot and question, so any thread
// can compute it.
import type {
  Citation,
  CroissantDataset,
  DataHubProposals,
  DatasetDict,
  DatasetInfo,
  DatasetKeys,
  DatasetList,
  DcatCatalog,
  OpenMetadataContainer,
  StacCatalog,
  StacCollection,
  ZarrDocument,
} from '@floe/contract'
import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, defaultMaxAnswerBytes, DocumentAllowance, JsonWriter, writeBody } from '@floe/storage/json'
import { type ContractDocument, readDocument } from '../../contract-document.ts'
import type { FirstDatasets } from '../../pages/browse/dataset-list.ts'
import { dataHubProposals } from '../../pages/catalogues/datahub.ts'
import { dcatRepository } from '../../pages/catalogues/dcat-catalog.ts'
import { openMetadataContainer } from '../../pages/catalogues/openmetadata.ts'
import { croissantDataset } from '../../pages/catalogues/schema-org.ts'
import { sitemap } from '../../pages/catalogues/sitemap.ts'
import { stacRepository } from '../../pages/catalogues/stac-catalog.ts'
import { stacCollection } from '../../pages/catalogues/stac-collection.ts'
import { encodePage } from '../../pages/page.ts'
import { decodeVariables } from '../../xarray/decode-group.ts'
import { buildDatasetPage } from '../datasets/build-dataset-page.ts'
import { buildRefPage } from '../datasets/build-ref-page.ts'
import { citeDataset } from '../datasets/cite-dataset.ts'
import { consolidateDocuments } from '../datasets/consolidate-documents.ts'
import { listDatasets } from '../datasets/list-datasets.ts'
import { listFirstDatasets } from '../datasets/list-first-datasets.ts'
import type { ContractAnswerers, PageAnswerers } from './contract-answerers.ts'
import { recordDataset, recordGroups } from '../datasets/record-dataset.ts'
import { toDict, toInfo, toKeys } from '../datasets/views.ts'
import { compareContract } from '../compatibility/compare-contract.ts'
import { judgeContract, parseContract } from '../compatibility/judge-contract.ts'
import { writeContractVerdict } from '../compatibility/write-compatibility.ts'
import { judgeCompleteness } from '../completeness/judge-completeness.ts'
import { writeCompleteness } from '../completeness/write-completeness.ts'
import { buildGapsPage } from '../gaps/build-gaps-page.ts'
import { judgeGaps } from '../gaps/judge-gaps.ts'
import { readMetadata, type RepositoryMetadata } from '../../groups/repository-metadata.ts'
import type { SnapshotManifests } from '../manifests/snapshot-manifests.ts'
import { writeGaps } from '../gaps/write-gaps.ts'
import { writeChunkSources } from '../sources/write-chunk-sources.ts'
import { decodeGroupAt, readGroupDocuments } from '../../groups/group-documents.ts'
import { linkAbsolutely, type PageFacts } from '../page-facts.ts'
import { readFacts, type StatedFacts } from '../../self-description/read-facts.ts'
import { type GroupFingerprints, listFingerprints } from '../../search/describe/list-fingerprints.ts'
import { writeShard } from '../../search/describe/write-shard.ts'

/** Answers the questions of the contract about one snapshot, and the page at the address of one of them. */
const contractAnswerers = {
  info: (snapshot, { group }, cancellation) =>
    writeBody<DatasetInfo>(toInfo(decodeGroupAt(snapshot, group, cancellation)), cancellation),
  keys: (snapshot, { group: path }, cancellation) => {
    const allowance = new DocumentAllowance({}, cancellation)
    const { group, members } = readGroupDocuments(snapshot, path, allowance)
    return writeBody<DatasetKeys>(toKeys(decodeVariables(group, members, cancellation)), cancellation)
  },
  dict: (snapshot, { group }, cancellation) =>
    writeBody<DatasetDict>(toDict(decodeGroupAt(snapshot, group, cancellation)), cancellation),
  datasets: (snapshot, { group }, cancellation) => writeBody<DatasetList>(listDatasets(snapshot, group), cancellation),
  'dataset-page': (_snapshot, { group, page }, cancellation, manifests) =>
    encodePage(buildDatasetPage(manifests, group, page, cancellation)),
  'ref-page': (snapshot, { group, page }) => encodePage(buildRefPage(snapshot, group, page)),
  completeness: (_snapshot, asked, cancellation, manifests) => writeCompleteness(manifests, asked, cancellation),
  gaps: (_snapshot, asked, cancellation, manifests) => writeGaps(manifests, asked, cancellation),
  'chunk-sources': (_snapshot, asked, cancellation, manifests) => writeChunkSources(manifests, asked, cancellation),
  'gaps-page': (_snapshot, asked, cancellation, manifests) => encodePage(buildGapsPage(manifests, asked, cancellation)),
  citation: (snapshot, { group, page }, cancellation) =>
    writeBody<Citation>(citeDataset(snapshot, group, page, cancellation), cancellation),
  'stac-repository': (snapshot, { page }, cancellation) =>
    writeBody<StacCatalog>(
      stacRepository({ ...page, facts: readOwnFacts(page) }, listDatasets(snapshot, ''), linkAbsolutely(page)),
      cancellation,
    ),
  'stac-collection': (snapshot, { group, page }, cancellation) =>
    writeBody<StacCollection>(
      stacCollection(recordDataset(snapshot, group, page, cancellation), linkAbsolutely(page)),
      cancellation,
    ),
  croissant: (snapshot, { group, page }, cancellation) =>
    writeBody<CroissantDataset>(
      croissantDataset(recordDataset(snapshot, group, page, cancellation), linkAbsolutely(page)),
      cancellation,
    ),
  datahub: (snapshot, { group, page }, cancellation) =>
    writeBody<DataHubProposals>(
      dataHubProposals(recordDataset(snapshot, group, page, cancellation), linkAbsolutely(page)),
      cancellation,
    ),
  openmetadata: (snapshot, { group, page }, cancellation) =>
    writeBody<OpenMetadataContainer>(
      openMetadataContainer(recordDataset(snapshot, group, page, cancellation), linkAbsolutely(page)),
      cancellation,
    ),
  'dcat-repository': (snapshot, { page }, cancellation) => {
    const writer = new JsonWriter(defaultMaxAnswerBytes, cancellation)
    const records = recordGroups(snapshot, listDatasets(snapshot, ''), page, cancellation)
    const fitting = takeWhile(records, () => writer.length < maxDatasetBytes)
    return writer.write<DcatCatalog>(
      dcatRepository({ ...page, facts: readOwnFacts(page) }, fitting, linkAbsolutely(page)),
    )
  },
  zarr: (snapshot, { group }, cancellation) =>
    writeBody<ZarrDocument>(consolidateDocuments(snapshot, group, cancellation), cancellation),
} as const satisfies ContractAnswerers<Snapshot, 'snapshot'> & PageAnswerers<Snapshot, 'ref-page' | 'gaps-page'>

/** Answers all questions about one snapshot: those of the contract, then those that only other parts of Floe ask. */
export const snapshotAnswerers = {
  ...contractAnswerers,
  /** The pages of the datasets of a ref, for search engines. */
  sitemap: (snapshot: Snapshot, { page }: { readonly page: PageFacts }) => {
    const { repo, ref } = page
    const lastModified = snapshot.writtenAt
    return encodePage(sitemap({ repo, ref, lastModified, groups: listDatasets(snapshot, '') }, linkAbsolutely(page)))
  },
  /** The first datasets, for the page of the repository. */
  'first-datasets': (
    _snapshot: Snapshot,
    asked: RepositoryMetadata,
    cancellation: Cancellation | undefined,
    manifests: SnapshotManifests,
  ) => writeBody<FirstDatasets>(listFirstDatasets(manifests, asked, cancellation), cancellation),
  /** What the snapshot breaks of a contract. */
  'contract-verdict': (
    snapshot: Snapshot,
    { contract }: { readonly contract: ContractDocument },
    cancellation: Cancellation | undefined,
  ) => {
    const verdict = compareContract(snapshot, parseContract(readDocument(contract)), cancellation)
    return writeContractVerdict(snapshot, verdict, cancellation)
  },
  /**
   * Whether the snapshot keeps a contract, and the first changes that break it. The contract is JSON: threads copy a
   * text faster than objects.
   */
  'contract-judgement': (
    snapshot: Snapshot,
    { contract }: { readonly contract: string },
    cancellation: Cancellation | undefined,
  ) => judgeContract(snapshot, contract, cancellation),
  /** Whether the arrays with such a path have this share of their chunks written. */
  'completeness-judgement': judgeCompleteness,
  /** Whether the steps along a dimension have this share of their chunks written. */
  'gaps-judgement': (
    _snapshot: Snapshot,
    expected: Parameters<typeof judgeGaps>[1],
    cancellation: Cancellation | undefined,
    manifests: SnapshotManifests,
  ) => judgeGaps(manifests, expected, cancellation),
  /** The groups with arrays, each with a fingerprint that changes when its description for search does. */
  fingerprints: (snapshot: Snapshot, asked: RepositoryMetadata, cancellation: Cancellation | undefined) =>
    writeBody<GroupFingerprints>(listFingerprints(snapshot, asked, cancellation), cancellation),
  /** The rows of a shard of search with as many of the first of these datasets as fit. */
  shard: writeShard,
} as const

/** Size of a catalog beyond which it gets no more datasets, in bytes. */
const maxDatasetBytes = 24 * 1024 * 1024

function* takeWhile<Item>(items: Iterable<Item>, hasRoom: () => boolean): Generator<Item, undefined, undefined> {
  for (const item of items) {
    if (!hasRoom()) return
    yield item
  }
}

/** What a repository states of itself. */
function readOwnFacts({ metadata }: PageFacts): StatedFacts {
  return readFacts(metadata === undefined ? [] : [readMetadata(metadata)])
}
