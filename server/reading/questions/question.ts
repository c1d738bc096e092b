// Questions about snapshots, and the types of their answers.
import type {
  Citation,
  CommitChanges,
  Compatibility,
  Completeness,
  ContractVerdict,
  CroissantDataset,
  DatasetDict,
  DatasetInfo,
  DatasetKeys,
  DatasetList,
  DcatCatalog,
  Diff,
  StacCatalog,
  StacCollection,
} from '@floe/contract'
import type { SearchConditions } from '@floe/contract/lists'
import type { SnapshotId } from '@floe/storage/icechunk'
import type { Cancellation, Written } from '@floe/storage/json'
import type { ContractDocument } from '../../contract-document.ts'
import type { FirstDatasets } from '../../pages/browse/dataset-list.ts'
import type { Page } from '../../pages/page.ts'
import type { CitedGroup } from './cite-dataset.ts'
import type { JudgedSnapshot } from '../compatibility/judge-contract.ts'
import type { SchemaChangeSummary } from '../compatibility/summarize-changes.ts'
import type { JudgedCompleteness } from '../completeness/judge-completeness.ts'
import type { DiffPageAddress } from '../diff/build-diff-page.ts'
import type { PathChanges } from '../diff/find-changed-paths.ts'
import type { PageAddress, RefPageAddress } from '../page-address.ts'
import type { GroupFingerprints } from '../search/list-fingerprints.ts'
import type { ShardMember } from '../search/write-shard.ts'

/**
 * Maximum number of commits that are examined for one path. In version 1 of the format, listing one costs a read of its
 * snapshot.
 */
export const maxExaminedCommits = { 1: 20, 2: 100 } as const

/** Parameters of each kind of question. `''` is the root group. */
type Parameters = {
  readonly info: { readonly group: string }
  readonly keys: { readonly group: string }
  readonly dict: { readonly group: string }
  /** The groups with arrays, at and below a group. */
  readonly datasets: { readonly below: string }
  readonly 'dataset-page': { readonly group: string; readonly page: RefPageAddress }
  /** The page of a ref. `below` must exist, but does not restrict what the page lists. */
  readonly 'ref-page': { readonly below: string; readonly page: RefPageAddress }
  /** How many chunks are written of the arrays at and below a group. */
  readonly completeness: { readonly below: string }
  /** The datasets of a ref, and one of them, for the catalogues of others. */
  readonly 'stac-repository': { readonly page: PageAddress }
  readonly 'stac-collection': { readonly group: string; readonly page: PageAddress }
  readonly croissant: { readonly group: string; readonly page: PageAddress }
  readonly 'dcat-repository': { readonly page: PageAddress }
  /** The pages of the datasets of a ref, for search engines. */
  readonly sitemap: { readonly page: PageAddress }
  /** The first datasets, for the page of the repository. */
  readonly 'first-datasets': object
  /** What changed from another snapshot to this one. */
  readonly diff: { readonly from: SnapshotId }
  readonly 'diff-page': { readonly from: SnapshotId; readonly page: DiffPageAddress }
  /** What readers see differently in the groups at and below a group. */
  readonly compatibility: { readonly from: SnapshotId; readonly below: string }
  /** What a head move means for readers, for its notification. */
  readonly 'schema-change': { readonly from: SnapshotId }
  /** Which path filters match the changes since `from`, and an abridged list of these changes. */
  readonly 'changed-paths': { readonly from: SnapshotId; readonly filters: readonly (readonly string[])[] }
  /** What the changes since `from` did to the nodes whose path matches a pattern. */
  readonly 'commit-changes': { readonly from: SnapshotId; readonly path: string }
  /** How to cite a group. */
  readonly citation: CitedGroup
  /** For each of some searches, whether it finds a dataset that was touched since `from`. */
  readonly 'search-matches': {
    readonly from: SnapshotId
    readonly repo: string
    readonly searches: readonly SearchConditions[]
  }
  /** What the snapshot breaks of a contract. */
  readonly 'contract-verdict': { readonly contract: ContractDocument }
  /** Whether the snapshot keeps a contract, which is JSON (threads copy a text faster than objects), and the first changes that break it. */
  readonly 'contract-judgement': { readonly contract: string }
  /** Whether the arrays with such a path have this share of their chunks written. */
  readonly 'completeness-judgement': { readonly path: string | null; readonly share: number }
  /** The groups with arrays, each with a fingerprint that changes when its description for search does. */
  readonly fingerprints: object
  /** The rows of a shard of search with as many of the first of these datasets as fit. */
  readonly shard: ShardQuestion
}

/** Which datasets a shard has. `isResized`: it has other datasets than before, so it is written in any case. */
type ShardQuestion = { readonly repo: string; readonly members: readonly ShardMember[]; readonly isResized: boolean }

/** The body that answers each kind of question. */
export type Answers = {
  readonly info: Written<DatasetInfo>
  readonly keys: Written<DatasetKeys>
  readonly dict: Written<DatasetDict>
  readonly datasets: Written<DatasetList>
  readonly 'dataset-page': Page
  readonly 'ref-page': Page
  readonly completeness: Written<Completeness>
  readonly 'stac-repository': Written<StacCatalog>
  readonly 'stac-collection': Written<StacCollection>
  readonly croissant: Written<CroissantDataset>
  readonly 'dcat-repository': Written<DcatCatalog>
  readonly sitemap: Page
  readonly 'first-datasets': Written<FirstDatasets>
  readonly citation: Written<Citation>
  readonly diff: Written<Diff>
  readonly 'diff-page': Page
  readonly compatibility: Written<Compatibility>
  readonly 'contract-verdict': Written<ContractVerdict>
  readonly 'contract-judgement': Written<JudgedSnapshot>
  readonly 'completeness-judgement': Written<JudgedCompleteness>
  readonly 'changed-paths': Written<PathChanges>
  readonly 'schema-change': Written<SchemaChangeSummary>
  readonly 'commit-changes': Written<CommitChanges>
  readonly 'search-matches': Written<readonly boolean[]>
  readonly fingerprints: Written<GroupFingerprints>
  /** Empty if nothing has changed; else four lines of JSON. */
  readonly shard: Buffer<ArrayBuffer>
}

type QuestionKind = keyof Answers

export type AnyAnswer = Answers[QuestionKind]

/** The kinds of questions about two snapshots. */
export type DiffKind =
  'diff' | 'diff-page' | 'compatibility' | 'changed-paths' | 'schema-change' | 'search-matches' | 'commit-changes'

/** The kinds of questions about one snapshot. */
export type SnapshotKind = Exclude<QuestionKind, DiffKind>

/**
 * A question. Plain data: it is sent to a thread, and its JSON, or a hash of that, is the key of the cached answer. So
 * it names everything that the answer depends on besides the snapshot.
 */
export type Question<Kind extends QuestionKind = QuestionKind> = {
  readonly [Each in Kind]: { readonly kind: Each } & Parameters[Each]
}[Kind]

/** For each of some kinds of questions, the function that builds the body from a source. */
export type Answerers<Kind extends QuestionKind, Source> = {
  readonly [Each in Kind]: (
    source: Source,
    question: Question<Each>,
    cancellation: Cancellation | undefined,
  ) => Answers[Each]
}
