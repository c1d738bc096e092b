// Generated from contract/ by `npm run generate`.

import type { RepositoryAddress, RefAddress, GroupAddress, CheckAddress, DiffAddress } from '../addresses.ts'
import type { CallOptions } from '../calls.ts'
import type { RouteCaller } from '../route-caller.ts'
import * as routes from './routes.ts'
import type * as types from './types.ts'

export type DiscoveryDatasetsQuery = {
  /** Only this group and the groups below it; a slash at its beginning or end is ignored. */
  readonly group?: string | undefined
}

export type DiscoverySourcesQuery = {
  /** An address, such as of a bucket: only containers at or below it, and those that it lies in. Default: all. */
  readonly prefix?: string | undefined
  /** Maximum number of repositories to return, 1 to 1,000; default 100. */
  readonly limit?: number | undefined
  /** Continue after a page: its `next`. */
  readonly before?: string | undefined
}

export type CitationGetQuery = {
  /** Path of the group; default: the root. A slash at its beginning or end is ignored. */
  readonly group?: string | undefined
}

export type HistoryCommitsQuery = {
  /** Maximum number of commits to return, 1 to 1,000; default 100. */
  readonly limit?: number | undefined
  /** Begin with the parent of this commit: `next` of the previous page. */
  readonly before?: types.SnapshotId | undefined
  /** Stop before the first commit that was written before this time: a date, which means its start, or `2026-11-18T06:00`, with or without seconds, up to nine decimals, and a zone (`Z` or `+02:00`); without a zone, the time is in UTC. */
  readonly since?: string | undefined
  /** A time: begin with the last commit at or before it, as `{ref}@{time}` does. Or a snapshot id: stop before this commit, such as `previous_snapshot_id` of a notification. */
  readonly until?: string | undefined
  /** Pattern of groups and arrays: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only commits that created, deleted, moved or updated a node with such a path, or wrote its chunks, are listed, each with `changes`, and commits whose changes are unknown. `limit` then counts the commits that are examined: at most 100, in version 1 at most 20. */
  readonly path?: string | undefined
}

export type HistoryOperationsQuery = {
  /** Maximum number of operations to return, 1 to 1,000; default 100. */
  readonly limit?: number | undefined
  /** Continue after a page: its `next`. */
  readonly before?: string | undefined
}

export type DatasetRemarksListQuery = {
  /** Only remarks about this group or an array in it; default: about the snapshot. */
  readonly group?: string | undefined
}

export type DiffGetQuery = {
  /** Whether the answer has `bytes` and `filled`. For these, all manifests of the arrays with changed chunks are read, in both snapshots. Default `false`. */
  readonly manifests?: boolean | undefined
}

export type CompatibilityGetQuery = {
  /** Only this group and the groups below it; a slash at its beginning or end is ignored. */
  readonly group?: string | undefined
}

export type CompletenessGetQuery = {
  /** Only the arrays below this group; a slash at its beginning or end is ignored. */
  readonly group?: string | undefined
  /** Whether the stored bytes of chunks are added up. All manifests are read for it. Default `false`. */
  readonly bytes?: boolean | undefined
}

export type GapsGetQuery = {
  /** Only the arrays below this group; a slash at its beginning or end is ignored. */
  readonly group?: string | undefined
  /** Pattern of the paths of arrays: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. */
  readonly path?: string | undefined
  /** Name of the dimension along which gaps are listed. It is refused if no array has it, and all are on one page. Default: see `along` of the answer. */
  readonly along?: string | undefined
  /** Maximum number of arrays to return, 1 to 1,000; default 100. */
  readonly limit?: number | undefined
  /** Begin after the array with this path: `next` of the previous page. */
  readonly after?: string | undefined
}

export type ChunkSourcesGetQuery = {
  /** Only the arrays below this group; a slash at its beginning or end is ignored. */
  readonly group?: string | undefined
  /** Pattern of the paths of arrays: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. */
  readonly path?: string | undefined
  /** Only this file, with the positions of its chunks. */
  readonly file?: string | undefined
  /** Maximum number of files to return, 1 to 1,000; default 100. */
  readonly limit?: number | undefined
  /** Begin after this file: `next` of the previous page. */
  readonly after?: string | undefined
}

/** The methods that call one route and do nothing else. */
export type ReaderMethods = {
  /** Returns the names of the repositories that the deployment serves; on a private deployment, of those that the API key covers. */
  readonly repositories: (call?: CallOptions) => Promise<types.RepositoryList>
  /** Returns all names at once. Deleted tags are not listed. The summary of the repository has the head of each branch. */
  readonly refs: (names: RepositoryAddress, call?: CallOptions) => Promise<types.RefList>
  /** Returns the paths of all groups that directly contain an array, sorted by UTF-8 bytes; `""` is the root group. Groups that only contain other groups are left out. Arrays are not examined, so xarray may fail to open a listed group. */
  readonly datasets: (selection: RefAddress & DiscoveryDatasetsQuery, call?: CallOptions) => Promise<types.DatasetList>
  /** Returns the repositories whose configuration declares virtual chunk containers at, below or around an address. A declaration is no proof of use. The answer has what the service has read so far, and says how many repositories it has not read yet. */
  readonly sourcesPage: (selection?: DiscoverySourcesQuery, call?: CallOptions) => Promise<types.SourceList>
  /** Returns the dimensions, variables and attributes of one group as xarray opens it, in the form of xpublish. Only metadata is read, never array data. A group without arrays has no dimensions and no variables; a group that xarray cannot open is answered with 422. Codecs and chunk grids that a reader has to install or switch on are no reason for 422: they change nothing here, and the page of the dataset names them. */
  readonly info: (names: GroupAddress, call?: CallOptions) => Promise<types.DatasetInfo>
  /** Returns the names of the variables of one group in the order of `info`: data variables first, then coordinates. Groups below it are not included. */
  readonly keys: (names: GroupAddress, call?: CallOptions) => Promise<types.DatasetKeys>
  /** Returns `xarray.Dataset.to_dict(data=False)` of one group, with the `shape` of each variable. It is decoded as `info` is. `dtype` is the text of the dtype, such as `<U5`, where `type` in `info` is its name, such as `str160`. */
  readonly dict: (names: GroupAddress, call?: CallOptions) => Promise<types.DatasetDict>
  /** Returns how to cite a group at a snapshot, as text, BibTeX and CSL-JSON, and the licence that its attributes state. What the group does not state is inherited from the nearest group above that states it. */
  readonly cite: (selection: RefAddress & CitationGetQuery, call?: CallOptions) => Promise<types.Citation>
  /** Returns whole commits, from the ref back to the first snapshot of the repository, in pages: send `next` as `before` until it is null. Answers 404 if the history of the ref does not contain `before`. In format version 1, where each commit is an object of its own, a page has at most 100 commits. With `path`, a page can be empty although `next` is not null. */
  readonly historyPage: (selection: RefAddress & HistoryCommitsQuery, call?: CallOptions) => Promise<types.HistoryPage>
  /** Returns the status, metadata, feature flags and number of snapshots of a repository, each branch with its last commit, and where to open it with Icechunk, if that is published. Format version 1 stores no metadata and no flags: there, these are empty, and the number of snapshots is null. */
  readonly repository: (names: RepositoryAddress, call?: CallOptions) => Promise<types.RepositorySummary>
  /** Returns the log of the repository: commits, and changes of branches, tags, configuration, metadata and status, in pages: send `next` as `before` until it is null. A page can be empty and still have a `next`. Format version 1 keeps no log: `operations_unavailable_reason` then says so. */
  readonly operationsPage: (
    selection: RepositoryAddress & HistoryOperationsQuery,
    call?: CallOptions,
  ) => Promise<types.OperationsPage>
  /** Returns what pipelines have said of a snapshot. */
  readonly checks: (names: RefAddress, call?: CallOptions) => Promise<types.CheckList>
  /** Posts several checks of a snapshot together: all of them, or none if one is refused. Returns all checks of the snapshot; those that the report does not name stay. */
  readonly postChecks: (names: RefAddress, body: types.CheckReport, call?: CallOptions) => Promise<types.CheckList>
  /** Posts what a check has found about a snapshot. Replaces what it said before under this name. Needs an API key with the role `checker` or `admin`, also on a public deployment. When the state changes, the event `CheckPosted` is recorded. Changes nothing if the check says the same already. */
  readonly postCheck: (names: CheckAddress, body: types.CheckResult, call?: CallOptions) => Promise<types.Check>
  /** Returns the newest heads of a branch as Floe saw them, what each lacks to be good, and the last good one, which `BRANCH@good` names wherever a ref is taken. What is required is said by expectations of the kind `good`. Without one, the lists are empty. */
  readonly good: (names: RefAddress, call?: CallOptions) => Promise<types.GoodBranch>
  /** Returns the notes and retractions that are shown now, of a snapshot or of one of its groups. */
  readonly remarks: (selection: RefAddress & DatasetRemarksListQuery, call?: CallOptions) => Promise<types.FoundRemarks>
  /** Returns the groups and arrays that were created, deleted, updated or moved, and the number of changed chunks of each array. If `from` is an ancestor of `to`, the answer combines the commits in between, as `Repository.diff` of Icechunk does. Otherwise the nodes of the two snapshots are compared, and `chunks` is null. What was deleted and created again is compared too, and listed as updated, with `replaced: true`; but an array that became a group, or a group that became an array, is listed as deleted and as created. If a list was cut, `truncated` is true and `counts` has the full numbers. With `manifests=true`, it also has the stored bytes of the arrays with changed chunks, and the gaps that were filled. Too many commits in between are answered with 413. */
  readonly diff: (selection: DiffAddress & DiffGetQuery, call?: CallOptions) => Promise<types.Diff>
  /** Compares what readers see of the datasets of two snapshots: dimensions, variables and attributes as xarray decodes them, and how values are decoded. `compatible` means that those who could read `from` can read `to`. The values of coordinates are not metadata, so they are not compared. A moved dataset or variable is listed as removed and as added, with `moved_from`. If `from` is not an ancestor of `to`, it is unknown which chunks were written. If lists were cut, `truncated` is true and `counts` has the full numbers. Too many commits in between are answered with 413. */
  readonly compatibility: (
    selection: DiffAddress & CompatibilityGetQuery,
    call?: CallOptions,
  ) => Promise<types.Compatibility>
  /** Compares the datasets that a contract names with those of a snapshot, by the rules of a comparison of two snapshots. `identical` and `compatible` keep the contract. What the contract leaves out is not compared. Changes nothing. A contract of more than 1 MiB, or of more than 10,000 datasets, dimensions or variables, is answered with 413. */
  readonly checkContract: (
    names: RefAddress,
    body: types.DatasetContract,
    call?: CallOptions,
  ) => Promise<types.ContractVerdict>
  /** Returns for each array how many of its chunks are written, and how many it has room for, as the snapshot states it. With sharding, shards are counted. A chunk that is not written reads as the fill value, and writers do not write a chunk that holds only this value. `/gaps` says which chunks are not written. With `bytes=true`, the manifests of the repository are read too. */
  readonly completeness: (
    selection: RefAddress & CompletenessGetQuery,
    call?: CallOptions,
  ) => Promise<types.Completeness>
  /** Returns for each array the positions along one dimension, such as a time, that lack chunks. Positions count chunks, and with sharding shards. What is empty at every position is a pattern and no gap; what lies beyond the last position with any chunk is not yet written. The manifests of the repository are read for it, which name the chunks; no chunk is read. Without `along`, each dimension has a profile of the written chunks. */
  readonly gaps: (selection: RefAddress & GapsGetQuery, call?: CallOptions) => Promise<types.Gaps>
  /** Returns the files that have virtual chunks of these arrays, and with `file` which chunks one has. All manifests of the arrays are read for it, and neither a chunk nor a file. Only for those who see where the repository is stored: administrators, and everybody where the setting `open` publishes it; others get 403. */
  readonly chunkSources: (
    selection: RefAddress & ChunkSourcesGetQuery,
    call?: CallOptions,
  ) => Promise<types.ChunkSources>
  /** Returns `zarr.json` of a group, with the documents of all nodes below it as consolidated metadata, or that of an array. Zarr readers that are given the address without `/zarr.json` list what is there and read attributes, shapes, codecs and chunk grids as they are stored. Chunks are not served, so values that are read there are fill values: open the repository itself for data. */
  readonly zarr: (names: GroupAddress, call?: CallOptions) => Promise<types.ZarrDocument>
  /** Returns a catalog with a `child` for each repository that the API key covers, or, if there are more than 1,000, for each 1,000 of them. */
  readonly stacCatalog: (call?: CallOptions) => Promise<types.StacCatalog>
  /** Returns a catalog with a `child` for each dataset of `main`. */
  readonly stacRepository: (names: RepositoryAddress, call?: CallOptions) => Promise<types.StacCatalog>
  /** Returns a STAC Collection without items. Its texts and extents are those that attributes state. A group that xarray cannot open has no dimensions and no variables here, and its description says why. */
  readonly stacCollection: (names: GroupAddress, call?: CallOptions) => Promise<types.StacCollection>
  /** Returns metadata change proposals of DataHub, as its source `file` reads them. A group that xarray cannot open has no fields. The URN does not name the ref: another ref replaces what DataHub has of the dataset. */
  readonly datahub: (names: GroupAddress, call?: CallOptions) => Promise<types.DataHubProposals>
  /** Returns the body of a `PUT` to `/api/v1/containers` of OpenMetadata. The name does not have the ref: another ref replaces what OpenMetadata has of the dataset. */
  readonly openmetadata: (names: GroupAddress, call?: CallOptions) => Promise<types.OpenMetadataContainer>
  /** Returns the OpenAPI 3.1 document of the service, with the names of this deployment in all addresses. */
  readonly openapi: (call?: CallOptions) => Promise<Record<string, unknown>>
  /** Returns the JSON Schema of the body that webhooks receive, for receivers that validate it or generate code from it. Pages of any origin may read it. */
  readonly notificationSchema: (call?: CallOptions) => Promise<Record<string, unknown>>
  /** Returns the JSON Schema of the document that says what readers rely on, for editors. Pages of any origin may read it. */
  readonly datasetContractSchema: (call?: CallOptions) => Promise<Record<string, unknown>>
}

export function makeReaderMethods({ fetchBody }: RouteCaller): ReaderMethods {
  return {
    repositories: (call) => fetchBody(routes.discovery.repositories, call),
    refs: (names, call) => fetchBody(routes.discovery.refs, { ...call, names }),
    datasets: ({ group, ...names }, call) => fetchBody(routes.discovery.datasets, { ...call, names, query: { group } }),
    sourcesPage: ({ prefix, limit, before } = {}, call) =>
      fetchBody(routes.discovery.sources, { ...call, query: { prefix, limit: limit?.toString(), before } }),
    info: (names, call) => fetchBody(routes.datasets.groupInfo, { ...call, names }),
    keys: (names, call) => fetchBody(routes.datasets.groupKeys, { ...call, names }),
    dict: (names, call) => fetchBody(routes.datasets.groupDict, { ...call, names }),
    cite: ({ group, ...names }, call) => fetchBody(routes.citation.get, { ...call, names, query: { group } }),
    historyPage: ({ limit, before, since, until, path, ...names }, call) =>
      fetchBody(routes.history.commits, {
        ...call,
        names,
        query: { limit: limit?.toString(), before, since, until, path },
      }),
    repository: (names, call) => fetchBody(routes.history.repository, { ...call, names }),
    operationsPage: ({ limit, before, ...names }, call) =>
      fetchBody(routes.history.operations, { ...call, names, query: { limit: limit?.toString(), before } }),
    checks: (names, call) => fetchBody(routes.checks.list, { ...call, names }),
    postChecks: (names, body, call) => fetchBody(routes.checks.postAll, { ...call, names, body }),
    postCheck: (names, body, call) => fetchBody(routes.checks.post, { ...call, names, body }),
    good: (names, call) => fetchBody(routes.good.get, { ...call, names }),
    remarks: ({ group, ...names }, call) => fetchBody(routes.datasetRemarks.list, { ...call, names, query: { group } }),
    diff: ({ manifests, ...names }, call) =>
      fetchBody(routes.diff.get, { ...call, names, query: { manifests: manifests ? 'true' : undefined } }),
    compatibility: ({ group, ...names }, call) =>
      fetchBody(routes.compatibility.get, { ...call, names, query: { group } }),
    checkContract: (names, body, call) => fetchBody(routes.compatibility.check, { ...call, names, body }),
    completeness: ({ group, bytes, ...names }, call) =>
      fetchBody(routes.completeness.get, { ...call, names, query: { group, bytes: bytes ? 'true' : undefined } }),
    gaps: ({ group, path, along, limit, after, ...names }, call) =>
      fetchBody(routes.gaps.get, { ...call, names, query: { group, path, along, limit: limit?.toString(), after } }),
    chunkSources: ({ group, path, file, limit, after, ...names }, call) =>
      fetchBody(routes.chunkSources.get, {
        ...call,
        names,
        query: { group, path, file, limit: limit?.toString(), after },
      }),
    zarr: (names, call) => fetchBody(routes.zarr.nodeDocument, { ...call, names }),
    stacCatalog: (call) => fetchBody(routes.stac.catalog, call),
    stacRepository: (names, call) => fetchBody(routes.stac.repository, { ...call, names }),
    stacCollection: (names, call) => fetchBody(routes.stac.groupDataset, { ...call, names }),
    datahub: (names, call) => fetchBody(routes.catalogues.groupDatahub, { ...call, names }),
    openmetadata: (names, call) => fetchBody(routes.catalogues.groupOpenmetadata, { ...call, names }),
    openapi: (call) => fetchBody(routes.documents.openapi, call),
    notificationSchema: (call) => fetchBody(routes.documents.notificationSchema, call),
    datasetContractSchema: (call) => fetchBody(routes.documents.datasetContractSchema, call),
  }
}
