// Generated from contract/ by `npm run generate`.

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [member: string]: JsonValue }

/** The code of a problem, the last segment of its `type`. */
export type ProblemCode =
  | 'invalid-request'
  | 'unauthorized'
  | 'forbidden'
  | 'cross-site'
  | 'route-not-found'
  | 'deployment-not-found'
  | 'repository-not-found'
  | 'ref-not-found'
  | 'snapshot-gone'
  | 'commit-not-found'
  | 'search-disabled'
  | 'group-not-found'
  | 'receiver-not-found'
  | 'expectation-not-found'
  | 'remark-not-found'
  | 'contract-not-found'
  | 'delivery-not-found'
  | 'session-not-found'
  | 'key-not-found'
  | 'method-not-allowed'
  | 'not-openable'
  | 'alias-in-use'
  | 'too-many-receivers'
  | 'too-many-expectations'
  | 'too-many-checks'
  | 'too-many-remarks'
  | 'too-many-keys'
  | 'receiver-disabled'
  | 'declared-in-file'
  | 'request-timeout'
  | 'events-gone'
  | 'precondition-failed'
  | 'body-too-large'
  | 'range-too-long'
  | 'uri-too-long'
  | 'unsupported-media-type'
  | 'damaged-repository'
  | 'repository-too-large'
  | 'too-many-repositories'
  | 'too-many-deliveries'
  | 'unsupported-format'
  | 'not-a-repository'
  | 'not-a-dataset'
  | 'too-many-requests'
  | 'headers-too-large'
  | 'internal'
  | 'store-failed'
  | 'unavailable'
  | 'store-timeout'

/**
 * The `type` of a problem: a relative URI, at which the service serves a page about the problem.
 * Later versions of the service may send others.
 */
export type ProblemType<Code extends string = ProblemCode | (string & {})> = `/problems/${Code}`

/** Names of the repositories, sorted by UTF-8 bytes. */
export type RepositoryList = string[]

/** Branches and tags of a repository. Deleted tags are not listed. */
export type RefList = {
  /** Sorted by UTF-8 bytes; always includes `main`. */
  branches: string[]
  /** Sorted by UTF-8 bytes. */
  tags: string[]
}

/** Paths of the groups that directly contain an array, without a leading slash, sorted by UTF-8 bytes; the root group is `""`. */
export type DatasetList = string[]

/** A place outside the repository from which it may take chunks, as its configuration declares it. Declared, not proof of use. Contains no credentials. */
export type VirtualContainer = {
  /** The beginning of the addresses of its chunks. */
  prefix: string
  /** Kind of store. */
  store: 's3' | 'gcs' | 'azure' | 'http' | 'local' | (string & {})
  /** Region of the store; null if the repository names none. */
  region: string | null
  /** Whether the repository says that its store needs no credentials. */
  anonymous: boolean
}

/** A repository that declares a matching container. */
export type DependentRepository = {
  /** Name of the repository. */
  name: string
  /** Its matching containers. */
  containers: VirtualContainer[]
}

/** A page of the repositories that declare virtual chunk containers. */
export type SourceList = {
  /** Sorted by UTF-8 bytes of their names. */
  repositories: DependentRepository[]
  /** Send it as `before` for the next page; null on the last page. A page before it may be short, even empty, because a page compares at most 1,000 repositories that declare containers with the address. */
  next: string | null
  /** Number of repositories whose containers are not known yet, or cannot be read; they are not listed. */
  not_read: number
  /** Number of repositories whose containers this caller must not see, because it is not published where they are stored; an API key of an administrator shows them. */
  not_shown: number
}

/** A variable of a dataset. */
export type VariableInfo = {
  /** Name of the decoded numpy dtype. Times that are out of range for `datetime64[ns]` are `object` in xarray; the metadata does not show this, so such times are `datetime64[ns]` here. */
  type: string
  /** Names of its dimensions, in their order. */
  dimensions: (string | null)[]
  /** Attributes in stored order, without those that CF decoding consumes, such as `scale_factor`. */
  attributes: Record<string, JsonValue>
}

/** Dimensions, variables and attributes of a dataset, in the form of xpublish. */
export type DatasetInfo = {
  /** Size of each dimension. xarray merges all dimensions without a name into one, which has the name `null` here. */
  dimensions: Record<string, number>
  /** Data variables first, then coordinates. */
  variables: Record<string, VariableInfo>
  /** Attributes in stored order, without those that CF decoding consumes, such as `scale_factor`. */
  global_attributes: Record<string, JsonValue>
}

/** Names of the variables: data variables first, then coordinates. Names of dimensions are not needed: `keys` answers too where `info` and `dict` answer 422 because an array has no names of dimensions, fewer names than dimensions, or null as the name of dimensions with different sizes. A variable with such a dimension is a coordinate only if `coordinates` names it, or if a dimension of another array has its name. */
export type DatasetKeys = string[]

/** A variable as `xarray.Dataset.to_dict(data=False)` gives it. */
export type VariableDict = {
  /** Names of its dimensions, in their order. */
  dims: (string | null)[]
  /** Attributes in stored order, without those that CF decoding consumes, such as `scale_factor`. */
  attrs: Record<string, JsonValue>
  /** Text of the decoded numpy dtype. Times that are out of range for `datetime64[ns]` are `object` in xarray; the metadata does not show this, so such times are `datetime64[ns]` here. */
  dtype: string
  /** Size in each dimension. */
  shape: number[]
}

/** The dataset as `xarray.Dataset.to_dict(data=False)` gives it. */
export type DatasetDict = {
  /** Coordinates by name. */
  coords: Record<string, VariableDict>
  /** Attributes in stored order, without those that CF decoding consumes, such as `scale_factor`. */
  attrs: Record<string, JsonValue>
  /** Size of each dimension. xarray merges all dimensions without a name into one, which has the name `null` here. */
  dims: Record<string, number>
  /** Data variables by name. */
  data_vars: Record<string, VariableDict>
}

/** Snapshot id. */
export type SnapshotId = string

/** A licence as an attribute states it. */
export type StatedLicence = {
  /** The text of the attribute, cut after 1,024 characters. */
  text: string
  /** Name of the attribute: `license`, `licence` or `rights`, with its path in an item of STAC. */
  attribute: string
  /** Identifier of SPDX, if the text is one, or the usual name or address of that licence; otherwise null. */
  spdx: string | null
}

/** How to cite a dataset, and its licence. From attributes of the dataset alone, and those of the groups above it. */
export type Citation = {
  /** Attribute `title`; without it, the name of the repository and the path of the group. */
  title: string
  /** From the first of the attributes `creator_name`, `creator`, `creators`, `author`, `authors` and `institution` that is stated; separated by semicolons. Empty if none is. */
  creators: string[]
  /** Name of the repository. */
  repository: string
  /** Path of the group; the root is `""`. */
  group: string
  /** Address that opens the repository, for `redirect_storage` of Icechunk. Null if no redirect can lead to where it is stored. */
  open_address: string | null
  snapshot_id: SnapshotId
  /** When the snapshot was written, by the writer's clock. */
  written_at: string
  /** Address of the page of the dataset at this snapshot. */
  url: string
  /** DOI that an attribute states, such as `10.5067/ABC`; null without one. */
  doi: string | null
  /** Why an administrator has retracted the dataset; null if nobody has. The citation says `retracted` then. */
  retraction: string | null
  /** Null if no licence is stated. */
  licence: StatedLicence | null
  /** The citation as a sentence. */
  text: string
  /** As an entry of BibTeX, with its special characters escaped. */
  bibtex: string
  /** As an item of [CSL-JSON](https://citeproc-js.readthedocs.io/en/latest/csl-json/markup.html). */
  csl: Record<string, unknown>
  /** Python code that opens the group at this snapshot with icechunk and xarray. It has `...` in place of the storage if the operator does not publish it. */
  code: string
}

/** The changes of one group or array in a commit. */
export type PathChange = {
  /** Path after the commit, of a deleted node before it; the root is `""`. */
  path: string
  /** `created`, `deleted`; `moved`: it had the path `moved_from` before; `replaced`: the path belonged to another node of the same kind before; `shape`, `attributes`: these differ; `updated`: its `zarr.json` was written, and other members differ, or none; `chunks`: chunks were written or deleted. */
  changes: (
    'created' | 'deleted' | 'moved' | 'replaced' | 'shape' | 'attributes' | 'updated' | 'chunks' | (string & {})
  )[]
  /** Number of chunks that were written or deleted; null when that is unknown. */
  chunks: number | null
  /** Path before the commit; null if it was not moved. */
  moved_from: string | null
}

/** The changes in a commit of groups and arrays whose paths match a pattern. */
export type CommitChanges = {
  /** The first 500, sorted by UTF-8 bytes of the path. */
  nodes: PathChange[]
  /** Number of all nodes with such a path that the commit changed. */
  count: number
  /** Why not all changes are known; null when they are. `transaction_log_missing`, `not_an_ancestor`: changed chunks are unknown, because the log of the commit is gone, or its parent is no ancestor any more. `unreadable`: the log or a snapshot is damaged, gone or larger than a limit, so `nodes` is empty. */
  unknown_reason: 'transaction_log_missing' | 'not_an_ancestor' | 'unreadable' | (string & {}) | null
}

/** One commit, with everything that the repository stores about it. */
export type HistoryCommit = {
  /** Snapshot id of the commit. */
  snapshot_id: SnapshotId
  /** Null for the first snapshot of the repository. */
  parent_snapshot_id: SnapshotId | null
  /** The whole message. */
  commit_message: string
  /** When the commit was written, by the writer's clock, which can be minutes off. Commits are ordered by their parents, not by this. */
  written_at: string
  /** The first of the metadata items `author_id`, `author_email`, `author_name` and `author` that is a non-blank text; `unknown` when there is none. */
  author_id: string
  /** The metadata items of the commit, as written: numbers keep their digits, and `2.0` is not `2`. */
  metadata: Record<string, unknown>
  /** Only with `path`: what the commit did to these paths. */
  changes?: CommitChanges | undefined
}

/** A page of the history of a ref. */
export type HistoryPage = {
  /** Newest first. Fewer than `limit` if they are large, and at most 100 in format version 1; with `path`, those of the examined commits that changed it. */
  commits: HistoryCommit[]
  /** Send it as `before` for the next page; null on the last page. */
  next: SnapshotId | null
  /** Whether the history contains the snapshot `until`; if not, the list continues to the first snapshot. Null without such an id, and if `since` comes first; in format version 1 also null until a page reaches `until` or the first snapshot. */
  until_found: boolean | null
  /** The parent of the last commit if its object no longer exists, so that the history ends there: in format version 1, after garbage collection of expired snapshots or in an incomplete copy. Otherwise null. */
  missing_snapshot_id: SnapshotId | null
}

/** Whether a repository accepts changes, and why not. */
export type RepositoryStatus = {
  /** Whether the repository accepts changes. Its metadata can be read in any case. */
  availability: 'online' | 'read_only' | 'offline' | 'unknown' | (string & {})
  /** When the status was set. Null in format version 1, whose repositories are always online. */
  since: string | null
  /** Why it is not online, in the words of the person who changed the status; otherwise null. */
  reason: string | null
}

/** A feature that a repository can enable or disable. */
export type FeatureFlag = {
  /** Number of the flag in the Icechunk format. */
  id: number
  /** Null for a flag that this service does not know. */
  name: string | null
  /** Whether the feature is enabled. */
  enabled: boolean
}

/** A branch and its last commit. */
export type BranchHead = {
  /** Name of the branch. */
  name: string
  /** The head of the branch. */
  snapshot_id: SnapshotId
  /** The last commit. Null for branches beyond the first 1,000 (in format version 1, the first 100; `main` is always among them), and when the snapshot no longer exists. */
  commit: {
    /** Message of the commit; the history has the whole message. At most 1,024 characters (Unicode code points): a longer text is cut, and ends with `…`. */
    commit_message: string
    /** When the commit was written, by the writer's clock. */
    written_at: string
    /** Author of the commit; the history has the whole text. At most 1,024 characters (Unicode code points): a longer text is cut, and ends with `…`. */
    author_id: string
  } | null
}

/** What the last judgement found. */
export type FreshnessFacts = {
  /** When the last commit that counts was written, or seen if its writer states a later time; null when none is known. */
  last_commit_at: string | null
  /** The time from which the age counts: that of the last commit that counts, or of the oldest that was searched. */
  counts_from: string
}

/** The last commit of the branch is not older than `max_age`, or came in time for `due`; and whether a branch meets it. */
export type FreshnessState = {
  /** What is expected. The last commit of the branch is not older than `max_age`, or came in time for `due`. */
  kind: 'freshness'
  /** Name of the branch. */
  branch: string
  alias: string | null
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity: 'info' | 'warning' | 'critical' | (string & {})
  within: string | null
  remind: string | null
  /** How old the last commit may become, from a minute to ten years: a whole number of seconds (`s`), minutes (`m`), hours (`h`) or days (`d`). Exactly one of it and `due` is needed. */
  max_age: string | null
  /** In place of `max_age`: a time of day in UTC, such as `07:30`. By then there must be a commit since the due time before. */
  due: string | null
  /** The days on which it is due, such as `mon`. Only with `due`. Null, the default, means every day. */
  days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun' | (string & {}))[] | null
  /** Pattern of groups and arrays: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only commits that created, deleted, moved or updated a node with such a path, or wrote its chunks, count. Null, the default, means that all count. */
  path: string | null
  /** Whether the last head that could be judged meets it. `unknown` before there is one, and where nothing matches. */
  state: 'met' | 'unmet' | 'unknown' | (string & {})
  /** Since when it is unmet; null while it is not. */
  since: string | null
  /** The last head that was judged; null before the first, and after a change of the expectation until the next. */
  snapshot_id: SnapshotId | null
  /** When the branch becomes unmet unless something changes before; null if that does not depend on time alone. */
  due_at: string | null
  /** Why it is unknown, why the last head could not be judged (the rest is about an earlier one then), or what else the facts do not say. Null otherwise. */
  reason: string | null
  /** Null before the first judgement. */
  facts: FreshnessFacts | null
}

/** Positions of a dimension that do not count, because they stay empty. */
export type IgnoredSlices = {
  /** Name of a dimension, as xarray names it. */
  dimension: string
  /** First position of chunks. */
  first: number
  /** Last position, inclusive. */
  last: number
}

/** Positions that may lack chunks, for a known reason. */
export type AcceptedGap = {
  /** First position of chunks. */
  first: number
  /** Last position, inclusive. */
  last: number
  /** Why, for people. */
  note: string
}

/** How many chunks of an array are written. With sharding, shards are counted instead of chunks. */
export type WrittenChunks = {
  /** Chunks that are written, also those that are inline or virtual. */
  written: number
  /** Chunks that the array has room for. */
  total: number
}

/** An array with fewer chunks written than expected. */
export type IncompleteArray = {
  /** Path of the array without a leading slash. */
  path: string
  chunks: WrittenChunks
}

/** Positions along a dimension with fewer chunks written than expected. */
export type IncompleteSteps = {
  /** Path of the array without a leading slash. */
  path: string
  /** Name of the dimension. */
  along: string
  /** First position of chunks. */
  first: number
  /** Last position, inclusive. */
  last: number
  /** Chunks that are written at each of these positions. */
  written: number
  /** Chunks that each of them has, without those that do not count. */
  total: number
  /** Number of positions up to the last one that has any chunk. */
  of: number
}

/** What the last judgement found. */
export type WrittenFacts = {
  /** The first 20 arrays with fewer chunks written, fewer if their paths are long, with the counts of the whole array. Empty while there are none. */
  arrays: IncompleteArray[]
  /** Number of all these arrays. */
  incomplete_arrays: number
  /** With `along`, the first 20 ranges of steps with fewer chunks written, fewer if the paths are long. Otherwise empty. */
  gaps: IncompleteSteps[]
  /** Number of all these ranges. */
  incomplete_ranges: number
}

/** Each array of the branch, or each step of it, has at least the share `share` of its chunks written; and whether a branch meets it. */
export type WrittenState = {
  /** What is expected. Each array of the branch, or each step of it, has at least the share `share` of its chunks written. */
  kind: 'written'
  /** Name of the branch. */
  branch: string
  alias: string | null
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity: 'info' | 'warning' | 'critical' | (string & {})
  within: string | null
  remind: string | null
  /** Share of the chunks that must be written, greater than 0 and at most 1: of each array, or with `along` of each step. */
  share: number
  /** Pattern of groups and arrays: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only arrays with such a path count. Null, the default, means that all count. */
  path: string | null
  /** Name of a dimension, such as that of the runs of a forecast. Each position of chunks along it is a step, which is judged by itself, up to the last one that has any chunk. Only arrays with the dimension count. Null, the default, means that each array is judged as a whole. */
  along: string | null
  /** How many of the last steps are not judged, because a writer may still add chunks. Only with `along`. Null, the default, means none. */
  except_last: number | null
  /** Positions of chunks of other dimensions that do not count, because they are empty by design. What is empty in every step never counts. Only with `along`. Null, the default, means none. */
  ignore: IgnoredSlices[] | null
  /** Steps that are known to lack chunks, and are not judged. Only with `along`. Null, the default, means none. */
  accepted: AcceptedGap[] | null
  /** Whether the last head that could be judged meets it. `unknown` before there is one, and where nothing matches. */
  state: 'met' | 'unmet' | 'unknown' | (string & {})
  /** Since when it is unmet; null while it is not. */
  since: string | null
  /** The last head that was judged; null before the first, and after a change of the expectation until the next. */
  snapshot_id: SnapshotId | null
  /** When the branch becomes unmet unless something changes before; null if that does not depend on time alone. */
  due_at: string | null
  /** Why it is unknown, why the last head could not be judged (the rest is about an earlier one then), or what else the facts do not say. Null otherwise. */
  reason: string | null
  /** Null before the first judgement. */
  facts: WrittenFacts | null
}

/** What changed. The table of the rules has the verdicts of each kind. */
export type ChangeKind =
  | 'dataset-removed'
  | 'dataset-unreadable'
  | 'variable-removed'
  | 'dimension-removed'
  | 'dimensions-changed'
  | 'size-shrunk'
  | 'role-changed'
  | 'type-changed'
  | 'index-added'
  | 'units-changed'
  | 'standard-name-changed'
  | 'calendar-changed'
  | 'meaning-changed'
  | 'values-reinterpreted'
  | 'fill-value-changed'
  | 'dataset-added'
  | 'dataset-readable-again'
  | 'variable-added'
  | 'dimension-added'
  | 'size-grown'
  | 'text-width-changed'
  | 'attribute-changed'
  | 'group-attributes-changed'
  | 'encoding-changed'
  | (string & {})

/** What the change means for those who read the earlier state. */
export type ChangeVerdict = 'breaking' | 'unknown' | 'compatible' | (string & {})

/** What breaks a contract: `before` is what the contract says, `after` what readers see. */
export type BrokenPromise = {
  /** Path of the dataset without a leading slash; the root is `""`. */
  group: string
  kind: ChangeKind
  /** What the change is about. `cost`: readers get the same values, slower or faster. */
  category: 'structure' | 'meaning' | 'values' | 'cost' | (string & {})
  verdict: ChangeVerdict
  /** The variable that the change is about; otherwise null. */
  variable: string | null
  /** `"null"` is the dimension without a name. */
  dimension: string | null
  /** The attribute that the change is about; otherwise null. */
  attribute: string | null
  /** The value in the earlier state; null where there is none. */
  before: unknown
  /** The value in the later state; null where there is none. */
  after: unknown
  /** Present if the new type holds every value of the old one exactly, as `float64` those of `float32`. */
  widened?: true | undefined
  /** The earlier path of an added dataset or variable that was moved. Renames are not guessed. */
  moved_from?: string | undefined
  /** Why xarray cannot open the dataset, or why the verdict is `unknown`. */
  reason?: string | undefined
}

/** What the last judgement found. */
export type ContractFacts = {
  /** What breaks it, in words: the first 10 breaking changes. Empty while it is kept. */
  breaks: string[]
  /** Number of all breaking changes. */
  breaking_changes: number
  /** What breaks it, as data: at most the first 50 breaking changes, fewer if they are long. Empty while it is kept. */
  changes: BrokenPromise[]
  /** The last head that kept it, with which a broken one can be compared; null before the first. */
  last_good_snapshot_id: SnapshotId | null
}

/** The branch keeps the contract of its datasets, the document that says what readers rely on; and whether a branch meets it. */
export type ContractState = {
  /** What is expected. The branch keeps the contract of its datasets, the document that says what readers rely on. */
  kind: 'contract'
  /** Name of the branch. */
  branch: string
  alias: string | null
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity: 'info' | 'warning' | 'critical' | (string & {})
  within: string | null
  remind: string | null
  /** Whether the last head that could be judged meets it. `unknown` before there is one, and where nothing matches. */
  state: 'met' | 'unmet' | 'unknown' | (string & {})
  /** Since when it is unmet; null while it is not. */
  since: string | null
  /** The last head that was judged; null before the first, and after a change of the expectation until the next. */
  snapshot_id: SnapshotId | null
  /** When the branch becomes unmet unless something changes before; null if that does not depend on time alone. */
  due_at: string | null
  /** Why it is unknown, why the last head could not be judged (the rest is about an earlier one then), or what else the facts do not say. Null otherwise. */
  reason: string | null
  /** Null before the first judgement. */
  facts: ContractFacts | null
}

/** What the last judgement found. */
export type ProtectedFacts = {
  /** The last head that kept the branch protected; null before the first. The branch must lead to it. */
  last_good_snapshot_id: SnapshotId | null
  /** When that head was found; null before the first. */
  checked_at: string | null
  /** What broke the protection, in words after the name of the branch: the first 10. Empty while nothing did. */
  violations: string[]
  /** The protected tags that were seen, sorted; null without `tags`. */
  tags: string[] | null
}

/** The branch is only moved forward: it is not reset, rewritten or deleted; and whether a branch meets it. */
export type ProtectedState = {
  /** What is expected. The branch is only moved forward: it is not reset, rewritten or deleted. */
  kind: 'protected'
  /** Name of the branch. */
  branch: string
  alias: string | null
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity: 'info' | 'warning' | 'critical' | (string & {})
  within: string | null
  remind: string | null
  /** Patterns of the ids of the authors who may commit to the branch (`author_id`): `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Null, the default, means everybody. */
  authors: string[] | null
  /** Pattern of the tags of the repository that are never deleted: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Of more than 1,000, the first that were seen count. Null, the default, means none. */
  tags: string | null
  /** Whether the last head that could be judged meets it. `unknown` before there is one, and where nothing matches. */
  state: 'met' | 'unmet' | 'unknown' | (string & {})
  /** Since when it is unmet; null while it is not. */
  since: string | null
  /** The last head that was judged; null before the first, and after a change of the expectation until the next. */
  snapshot_id: SnapshotId | null
  /** When the branch becomes unmet unless something changes before; null if that does not depend on time alone. */
  due_at: string | null
  /** Why it is unknown, why the last head could not be judged (the rest is about an earlier one then), or what else the facts do not say. Null otherwise. */
  reason: string | null
  /** Null before the first judgement. */
  facts: ProtectedFacts | null
}

/** What the last judgement found. */
export type GoodFacts = {
  /** The newest head that is good, which `BRANCH@good` names; null if none is. */
  last_good_snapshot_id: SnapshotId | null
  /** How many heads the branch has had since that one; null if none is good. */
  behind: number | null
  /** What the head lacks to be good, in words: the first 10. Empty if it is good. */
  lacks: string[]
}

/** The head of the branch is good: its checks have passed, it meets other expectations, and is not retracted; and whether a branch meets it. */
export type GoodState = {
  /** What is expected. The head of the branch is good: its checks have passed, it meets other expectations, and is not retracted. */
  kind: 'good'
  /** Name of the branch. */
  branch: string
  alias: string | null
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity: 'info' | 'warning' | 'critical' | (string & {})
  within: string | null
  remind: string | null
  /** Names of the checks that must have passed. Null, the default, means none. */
  checks: string[] | null
  /** Aliases of the expectations of the kinds `written` and `contract` that the head must meet. Null, the default, means all of the branch. */
  expectations: string[] | null
  /** Whether the last head that could be judged meets it. `unknown` before there is one, and where nothing matches. */
  state: 'met' | 'unmet' | 'unknown' | (string & {})
  /** Since when it is unmet; null while it is not. */
  since: string | null
  /** The last head that was judged; null before the first, and after a change of the expectation until the next. */
  snapshot_id: SnapshotId | null
  /** When the branch becomes unmet unless something changes before; null if that does not depend on time alone. */
  due_at: string | null
  /** Why it is unknown, why the last head could not be judged (the rest is about an earlier one then), or what else the facts do not say. Null otherwise. */
  reason: string | null
  /** Null before the first judgement. */
  facts: GoodFacts | null
}

/** What is expected of a branch, and whether it meets it. */
export type ExpectationState = FreshnessState | WrittenState | ContractState | ProtectedState | GoodState

/** Where to open a repository with Icechunk, without this service. Contains no credentials. */
export type PublishedStorage =
  | {
      /** Amazon S3, or a store that works like it. */
      storage: 's3'
      /** Name of the bucket. */
      bucket: string
      /** Where the repository begins in the bucket or container; empty at its root. */
      prefix: string
      /** Region of the bucket; null if it is not published. */
      region: string | null
      /** Address of the service; null for Amazon S3. */
      endpoint: string | null
      /** Whether the bucket is in the path of addresses, not in the name of the host. */
      path_style: boolean
      /** Whether anyone may read; otherwise readers need credentials of their own. */
      anonymous: boolean
    }
  | {
      /** Google Cloud Storage. */
      storage: 'gcs'
      /** Name of the bucket. */
      bucket: string
      /** Where the repository begins in the bucket or container; empty at its root. */
      prefix: string
      /** Whether anyone may read; otherwise readers need credentials of their own. */
      anonymous: boolean
    }
  | {
      /** Azure Blob Storage. */
      storage: 'azure'
      /** Name of the storage account. */
      account: string
      /** Name of the container. */
      container: string
      /** Where the repository begins in the bucket or container; empty at its root. */
      prefix: string
      /** Whether anyone may read; otherwise readers need credentials of their own. */
      anonymous: boolean
    }
  | {
      /** A web server. */
      storage: 'http'
      /** Address of the repository. */
      url: string
    }

/** Status, metadata and branches of a repository. */
export type RepositorySummary = {
  /** Name of the repository. */
  name: string
  /** Version of the Icechunk format. */
  format_version: number
  /** Whether the repository accepts changes. */
  status: RepositoryStatus
  /** Metadata of the repository itself, as written; empty in format version 1, which has none. */
  metadata: Record<string, unknown>
  /** Sorted by id; empty in format version 1, which has none. */
  feature_flags: FeatureFlag[]
  /** Number of snapshots, including those that no branch or tag leads to. Null in format version 1, where each snapshot would cost a request. */
  commits: number | null
  /** Sorted by UTF-8 bytes of their names. */
  branches: BranchHead[]
  /** Number of tags. */
  tags: number
  /** Stored size of the snapshot at the head of `main`; null when the object store does not say. */
  main_snapshot_bytes: number | null
  /** What is expected of branches that were judged, unmet ones first. Empty without expectations. Null while the database of the service does not answer. */
  expectations: ExpectationState[] | null
  /** Address that opens the repository, for `redirect_storage` of Icechunk. Null if no redirect can lead to where it is stored. */
  open_address: string | null
  /** Where to open the repository with Icechunk, without this service. Null if the operator does not publish it. */
  open: PublishedStorage | null
  /** The virtual chunk containers that the repository declares: places outside of it from which it may take chunks. Null if they cannot be read, and for callers who must not see where the repository is stored: only administrators do, unless it is published. */
  containers: VirtualContainer[] | null
}

/** One operation on a repository. */
export type Operation = {
  /** What was done; `unknown` is an operation that a later version of the format added. */
  kind:
    | 'repository_created'
    | 'repository_migrated'
    | 'config_changed'
    | 'metadata_changed'
    | 'tag_created'
    | 'tag_deleted'
    | 'branch_created'
    | 'branch_deleted'
    | 'branch_reset'
    | 'commit'
    | 'commit_amended'
    | 'detached_snapshot'
    | 'garbage_collection'
    | 'expiration'
    | 'feature_flag_changed'
    | 'status_changed'
    | 'unknown'
    | (string & {})
  /** When it was done. For a commit, a few milliseconds after its `written_at`. */
  done_at: string
  /** The branch that was created, changed or deleted; null for operations on anything else. */
  branch: string | null
  /** The tag that was created or deleted; null for operations on anything else. */
  tag: string | null
  /** The snapshot that a commit created; null for other operations. */
  snapshot_id: SnapshotId | null
  /** Where a deleted tag, or a deleted or reset branch, pointed before; for an amended commit, the snapshot that it replaces. */
  previous_snapshot_id: SnapshotId | null
  /** Author of the commit, as in the history. Null for other operations, and when the snapshot is no longer listed. */
  author_id: string | null
  /** The feature flag that was changed; null for other operations. */
  feature_flag: {
    /** Number of the flag in the Icechunk format. */
    id: number
    /** Null when it goes back to its default. */
    enabled: boolean | null
  } | null
  /** The new status; null for other operations. */
  status: RepositoryStatus | null
  /** Format versions before and after a migration; null for other operations. */
  migration: {
    /** Version before. */
    from: number
    /** Version after. */
    to: number
  } | null
}

/** A page of the operations log. */
export type OperationsPage = {
  /** Newest first. A page can have fewer than `limit`, or none, although `next` is not null. */
  operations: Operation[]
  /** Send it as `before` for the next page; null on the last page. */
  next: string | null
  /** Whether older operations are missing because their part of the log no longer exists in the object store. */
  is_cut_off: boolean
  /** `repo_format_v1`: the repository uses version 1 of the Icechunk format, which keeps no log. */
  operations_unavailable_reason: 'repo_format_v1' | (string & {}) | null
}

/** A number that a check has found. */
export type CheckFigure = {
  /** The number. */
  value: number
  /** Its unit. */
  unit?: string | undefined
}

/** What a check says of a snapshot. */
export type Check = {
  /** Name of the check. */
  name: string
  /** What the check found. `pending`: it still runs. `error`: the check itself failed, so that nothing is known of the snapshot. */
  state: 'pending' | 'passed' | 'failed' | 'error' | (string & {})
  /** What the check says, in one line for people; null when it says nothing. */
  text: string | null
  /** Where people read more, an https URL; null when there is none. */
  link: string | null
  /** Numbers that the check has found, by their names; at most 20. */
  figures: Record<string, CheckFigure>
  /** When it was posted. */
  posted_at: string
}

/** All checks of a snapshot. */
export type CheckList = {
  /** Newest first; those of the same time by name. */
  items: Check[]
}

/** What a check of a report says of a snapshot. */
export type NamedCheckResult = {
  /** Name of the check. */
  name: string
  /** What the check found. `pending`: it still runs. `error`: the check itself failed, so that nothing is known of the snapshot. */
  state: 'pending' | 'passed' | 'failed' | 'error'
  /** What the check says, in one line for people. */
  text?: string | undefined
  /** Where people read more, an https URL. */
  link?: string | undefined
  /** Numbers that the check has found, by their names; at most 20. */
  figures?:
    | Record<
        string,
        {
          /** The number. */
          value: number
          /** Its unit. */
          unit?: string | undefined
        }
      >
    | undefined
}

/** What several checks say of a snapshot. */
export type CheckReport = {
  /** The checks, each with another name. */
  checks: NamedCheckResult[]
}

/** What a check says of a snapshot. */
export type CheckResult = {
  /** What the check found. `pending`: it still runs. `error`: the check itself failed, so that nothing is known of the snapshot. */
  state: 'pending' | 'passed' | 'failed' | 'error'
  /** What the check says, in one line for people. */
  text?: string | undefined
  /** Where people read more, an https URL. */
  link?: string | undefined
  /** Numbers that the check has found, by their names; at most 20. */
  figures?:
    | Record<
        string,
        {
          /** The number. */
          value: number
          /** Its unit. */
          unit?: string | undefined
        }
      >
    | undefined
}

/** What a head lacks to be good. */
export type GoodLack = {
  /** What is lacking: a passed check, a met expectation, or that the head is not retracted. */
  kind: 'check' | 'expectation' | 'retraction' | (string & {})
  /** Name of the check, or alias of the expectation. */
  name: string
  /** Why it is not fulfilled. Only what is `missing` or `pending` can still come. */
  state: 'missing' | 'pending' | 'failed' | 'error' | 'unmet' | 'retracted' | (string & {})
  /** What the check says, or why the expectation is unmet or the snapshot retracted; null if unknown. */
  text: string | null
}

/** A head of a branch as Floe saw it. */
export type JudgedHead = {
  snapshot_id: SnapshotId
  /** When Floe saw it first as the head. */
  seen_at: string
  /** `pending`: something is missing, and there is still time. */
  state: 'good' | 'pending' | 'failed' | (string & {})
  /** What it lacks to be good; empty if it is good. */
  lacks: GoodLack[]
  /** When a pending head fails unless something comes before; null if never. */
  due_at: string | null
}

/** Which heads of a branch are good. */
export type GoodBranch = {
  /** Name of the branch. */
  branch: string
  /** The head of the branch now. Until Floe has seen it, `heads` begins with an earlier one. */
  head_snapshot_id: SnapshotId
  /** What a head must have; null if no expectation of the kind `good` covers the branch. */
  requires: {
    /** Names of the checks that must have passed. */
    checks: string[]
    /** Aliases of the expectations that must be met, or their kinds. */
    expectations: string[]
  } | null
  /** The newest good head that still exists, which `BRANCH@good` names; null if there is none. */
  last_good_snapshot_id: SnapshotId | null
  /** How many heads the branch has had since that one; null if there is none. */
  behind: number | null
  /** When the first of these was seen; null if the newest head is good, or none is. */
  since: string | null
  /** The newest heads that Floe saw, at most 20; newest first. */
  heads: JudgedHead[]
}

/** What to use instead: a repository, perhaps with a ref, or a link. */
export type Successor = {
  /** Name of the repository; null for a link. */
  repo: string | null
  /** Branch, tag or snapshot of it; null when none is named. */
  ref: string | null
  /** An https URL; null for a repository. */
  link: string | null
}

/** What an administrator says of snapshots. It is about whatever matches all that it names. */
export type Remark = {
  /** Id of the remark. */
  id: string
  /** `note`: something to know. `retraction`: nobody should use what it is about any more. */
  kind: 'note' | 'retraction' | (string & {})
  /** The snapshot that it is about. */
  snapshot: SnapshotId | null
  /** The first of a range of snapshots. */
  from: SnapshotId | null
  /** The last of a range of snapshots. */
  to: SnapshotId | null
  /** The branch or tag that it is about, as long as readers use this name. */
  ref: string | null
  /** The group that it is about, with all that is in it, or the array. */
  path: string | null
  /** What it says, in plain text. */
  text: string
  /** When the note is first shown; null for always. */
  since: string | null
  /** When the note is no longer shown; null for never. */
  until: string | null
  /** What to use instead: a repository, perhaps with a ref, or a link; null when there is nothing. */
  superseded_by: Successor | null
  /** When it was posted. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

/** What administrators say of a dataset. */
export type FoundRemarks = {
  /** Retractions before notes, newest first. */
  items: Remark[]
}

/** Differences of the stored attributes; absent when there are none. */
export type ChangedAttributes = {
  /** Attributes that only the later snapshot has, with their values. */
  created: Record<string, unknown>
  /** Attributes that only the earlier snapshot has, with their values. */
  deleted: Record<string, unknown>
  /** Attributes that both have with different values. */
  updated: Record<string, [unknown, unknown]>
}

/** A node whose `zarr.json` was written, or that replaced another one, with the fields that differ. None differ when the same content was written again, or when only one of the snapshots has the node. */
export type UpdatedNode = {
  /** Path without a leading slash; the root is `""`. */
  path: string
  /** Present if the path now belongs to another group or array, usually because it was deleted and created again, as `to_zarr(mode="w")` does. The two are compared. */
  replaced?: true | undefined
  attributes?: ChangedAttributes | undefined
  /** The value before and after; null where there is none. */
  shape?: [unknown, unknown] | undefined
  /** The value before and after; null where there is none. */
  data_type?: [unknown, unknown] | undefined
  /** The value before and after; null where there is none. */
  dimension_names?: [unknown, unknown] | undefined
  /** Elements of one chunk in each dimension; with sharding, of one inner chunk. Null if sizes differ. */
  chunk_shape?: [unknown, unknown] | undefined
  /** Elements of one shard in each dimension; null without sharding, or if sizes differ. */
  shard_shape?: [unknown, unknown] | undefined
  /** As stored, also those that zarr-python does not have. */
  codecs?: [unknown, unknown] | undefined
  /** The value before and after; null where there is none. */
  fill_value?: [unknown, unknown] | undefined
  /** Other fields of `zarr.json`, such as a `chunk_grid` with chunks of different sizes. */
  other?: Record<string, [unknown, unknown]> | undefined
  /** Why the documents cannot be compared. */
  unreadable?: string | undefined
}

/** The groups, or the arrays, that were created, deleted or updated. */
export type ChangedNodes = {
  /** Sorted by UTF-8 bytes. */
  created: string[]
  /** Sorted by UTF-8 bytes. */
  deleted: string[]
  /** Sorted by UTF-8 bytes of the path. */
  updated: UpdatedNode[]
}

/** Bytes of chunks by where they are stored. Chunks that only earlier snapshots have do not count. */
export type StoredBytes = {
  /** Chunks that are objects of the repository. */
  native: {
    /** Number of references to chunks. */
    chunks: number
    /** Bytes that these chunks have, as stored. */
    bytes: number
  }
  /** Chunks inside of manifests. */
  inline: {
    /** Number of references to chunks. */
    chunks: number
    /** Bytes that these chunks have, as stored. */
    bytes: number
  }
  /** Chunks that are parts of other files, outside of the repository. */
  virtual: {
    /** Number of references to chunks. */
    chunks: number
    /** Bytes that these chunks have, as stored. */
    bytes: number
  }
}

/** Stored bytes of chunks before and after. */
export type ChangedBytes = {
  /** In the earlier snapshot; null if a manifest cannot be read, or the array did not exist. */
  before: StoredBytes | null
  /** In the later snapshot; null if a manifest cannot be read, or the array no longer exists. */
  after: StoredBytes | null
}

/** Positions of chunks along a dimension. */
export type PositionRange = {
  /** First position along the dimension. */
  first: number
  /** Last position, inclusive. */
  last: number
}

/** How many groups, or arrays, were created, deleted and updated. */
export type ChangedNodeCounts = {
  /** Length of `created`. */
  created: number
  /** Length of `deleted`. */
  deleted: number
  /** Length of `updated`. */
  updated: number
}

/** What changed from one snapshot to another. */
export type Diff = {
  from_snapshot_id: SnapshotId
  to_snapshot_id: SnapshotId
  groups: ChangedNodes
  arrays: ChangedNodes
  /** Moves in the order in which they were committed. Moving a group moves everything below it. */
  moved: {
    /** Path without a leading slash; the root is `""`. */
    from: string
    /** Path without a leading slash; the root is `""`. */
    to: string
  }[]
  /** Number of chunks written or deleted in each array, sorted by UTF-8 bytes of the path; of a replaced array, those of the new one. */
  chunks:
    | {
        /** Path without a leading slash; the root is `""`. */
        path: string
        /** Number of chunks. */
        count: number
        /** How many chunks were written in the earlier snapshot; null if it is unknown, or the array did not exist. */
        before: WrittenChunks | null
        /** How many chunks are written in the later snapshot; null if it is unknown, or the array no longer exists. */
        after: WrittenChunks | null
        /** Only with `manifests=true`. */
        bytes?: ChangedBytes | undefined
        /** Only with `manifests=true`: the dimension of `filled`, chosen as `/gaps` does in the later snapshot. Null without one. */
        along?: string | null | undefined
        /** Only with `manifests=true`: gaps that were filled, as ranges of positions along the dimension that lacked chunks in the earlier snapshot and lack none in the later one. What was not yet written was no gap. Null if it is unknown, or only one snapshot has the array. */
        filled?: PositionRange[] | null | undefined
      }[]
    | null
  /** Only with `manifests=true`: the sums of the arrays in `chunks`, also those that were cut, where an array that does not exist has none. Null if one is unknown. */
  bytes?: ChangedBytes | undefined
  /** Why `chunks` is null; otherwise null. `not_an_ancestor`: `from` is not an ancestor of `to`. `transaction_log_missing`: the transaction log of a commit in between is gone. In both cases, the nodes of the two snapshots were compared. */
  chunks_unavailable_reason: 'not_an_ancestor' | 'transaction_log_missing' | (string & {}) | null
  /** Number of entries of each list before it was cut. */
  counts: {
    groups: ChangedNodeCounts
    arrays: ChangedNodeCounts
    /** Length of `moved`. */
    moved: number
    /** Number of arrays with changed chunks. */
    chunks: number | null
  }
  /** Whether the lists were cut to keep the answer small, starting with the last list. */
  truncated: boolean
}

/** Whether those who read the earlier state can read the later one: the worst verdict of the changes. `identical`: readers see no difference. `unknown`: the metadata does not show it; the changes give the reasons. */
export type StateVerdict = 'breaking' | 'unknown' | 'compatible' | 'identical' | (string & {})

/** One difference that readers of a dataset see. */
export type DatasetChange = {
  kind: ChangeKind
  /** What the change is about. `cost`: readers get the same values, slower or faster. */
  category: 'structure' | 'meaning' | 'values' | 'cost' | (string & {})
  verdict: ChangeVerdict
  /** The variable that the change is about; otherwise null. */
  variable: string | null
  /** `"null"` is the dimension without a name. */
  dimension: string | null
  /** The attribute that the change is about; otherwise null. */
  attribute: string | null
  /** The value in the earlier state; null where there is none. */
  before: unknown
  /** The value in the later state; null where there is none. */
  after: unknown
  /** Present if the new type holds every value of the old one exactly, as `float64` those of `float32`. */
  widened?: true | undefined
  /** The earlier path of an added dataset or variable that was moved. Renames are not guessed. */
  moved_from?: string | undefined
  /** Why xarray cannot open the dataset, or why the verdict is `unknown`. */
  reason?: string | undefined
}

/** What is worth knowing besides the changes. It does not affect the verdict. */
export type DatasetNote = {
  /** `tree-misaligned`: the size of a dimension no longer equals that in a group above, so that `xarray.open_datatree` refuses both. Each opens alone. */
  kind: 'tree-misaligned' | (string & {})
  /** The dimension. */
  dimension: string
  /** Number of elements; may exceed 2^53. */
  size: number
  /** Path of the group above; the root is `""`. */
  parent: string
  /** Number of elements; may exceed 2^53. */
  parent_size: number
}

/** A dataset, or a group without arrays, that readers see differently. */
export type ComparedDataset = {
  /** Path without a leading slash; the root is `""`. */
  group: string
  verdict: StateVerdict
  /** Breaking changes first, then unknown, then compatible ones. */
  changes: DatasetChange[]
  /** What is worth knowing besides, and does not affect the verdict. */
  notes: DatasetNote[]
}

/** Numbers by verdict. */
export type VerdictCounts = {
  /** With the verdict `breaking`. */
  breaking: number
  /** With the verdict `unknown`. */
  unknown: number
  /** With the verdict `compatible`. */
  compatible: number
}

/** Whether those who read the datasets of one snapshot can read those of another. */
export type Compatibility = {
  from_snapshot_id: SnapshotId
  to_snapshot_id: SnapshotId
  verdict: StateVerdict
  /** The datasets that differ: breaking ones first, then unknown, then compatible ones; each sorted by UTF-8 bytes of the path. */
  datasets: ComparedDataset[]
  /** Numbers before the lists were cut. */
  counts: {
    datasets: VerdictCounts
    changes: VerdictCounts
    /** Number of notes. */
    notes: number
    /** Number of changed groups that were not compared because the documents of all are too large; if there is one, the verdict is `unknown` or `breaking`. */
    not_compared: number
  }
  /** Whether the lists were cut to keep the answer small; the worst is listed first. */
  truncated: boolean
}

/** A dimension that readers rely on. */
export type ContractedDimension = {
  /** Number of elements, only where it is fixed: another size breaks the contract. */
  size?: number | undefined
}

/** A variable, and what readers rely on in it. */
export type ContractedVariable = {
  /** Text of the decoded numpy dtype, as `dict` shows it. */
  type?: string | undefined
  /** Names of its dimensions, in their order; null is a dimension without a name. */
  dimensions?: (string | null)[] | undefined
  /** Whether it is a coordinate or a data variable. */
  role?: 'coordinate' | 'data' | undefined
  /** Its `units`; another spelling of the same unit keeps the contract. */
  units?: string | undefined
  /** Its `standard_name`; an alias of the same name keeps the contract. */
  standard_name?: string | undefined
}

/** A dataset that must exist. */
export type ContractedDataset = {
  /** Dimensions that must exist, by name. */
  dimensions?: Record<string, ContractedDimension> | undefined
  /** Variables that must exist, by name. */
  variables?: Record<string, ContractedVariable> | undefined
}

/** What readers of datasets rely on. What it leaves out is not part of the contract, and may change. At most 1 MiB, and 10,000 datasets, dimensions and variables each. */
export type DatasetContract = {
  /** Version of the form of this document. */
  version: 1
  /** Datasets by the paths of their groups; the root is `""`. */
  datasets: Record<string, ContractedDataset>
}

/** Whether those who rely on a contract can read a snapshot. `before` is what the contract says. What the contract leaves out is not listed, and there are no notes. */
export type ContractVerdict = {
  to_snapshot_id: SnapshotId
  verdict: StateVerdict
  /** The datasets that differ: breaking ones first, then unknown, then compatible ones; each sorted by UTF-8 bytes of the path. */
  datasets: ComparedDataset[]
  /** Numbers before the lists were cut. */
  counts: {
    datasets: VerdictCounts
    changes: VerdictCounts
    /** Number of notes. */
    notes: number
    /** Number of changed groups that were not compared because the documents of all are too large; if there is one, the verdict is `unknown` or `breaking`. */
    not_compared: number
  }
  /** Whether the lists were cut to keep the answer small; the worst is listed first. */
  truncated: boolean
}

/** Why it is unknown how many chunks are written. `shared_manifest`: several arrays have one manifest. `outside_grid`: there may be references to chunks outside of the grid, which Icechunk before 1.0 leaves behind when an array shrinks. `unknown_grid`: the chunk grid is neither regular nor rectilinear, or `zarr.json` cannot be read. `too_large`: the array has room for more than 2^53 - 1 chunks. `too_many_manifests`: the snapshot has more than 1,000,000. `contradictory`: the snapshot contradicts itself. */
export type UncountedReason =
  | 'shared_manifest'
  | 'outside_grid'
  | 'unknown_grid'
  | 'too_large'
  | 'too_many_manifests'
  | 'contradictory'
  | (string & {})

/** How complete an array is. */
export type ArrayCompleteness = {
  /** Path of the array without a leading slash; the root is `""`. */
  path: string
  /** Null when it is unknown. */
  chunks: WrittenChunks | null
  /** Why `chunks` is null; otherwise null. */
  reason: UncountedReason | null
  /** Only with `bytes=true`. Null when a manifest of the array cannot be read. */
  bytes?: StoredBytes | null | undefined
}

/** How many chunks of the arrays of a snapshot are written. */
export type Completeness = {
  snapshot_id: SnapshotId
  /** Arrays with chunks that are not written first, then unknown ones, then complete ones; each sorted by UTF-8 bytes of the path. */
  arrays: ArrayCompleteness[]
  /** Number of arrays before the list was cut. */
  counts: {
    /** Arrays with chunks that are not written. */
    incomplete: number
    /** Arrays whose written chunks are unknown. */
    unknown: number
    /** Arrays whose chunks are all written, and those without any. */
    complete: number
  }
  /** Only with `bytes=true`: the sum of all arrays, also those that were cut. Null if one is unknown. */
  bytes?: StoredBytes | null | undefined
  /** Whether the list was cut to keep the answer small. */
  truncated: boolean
}

/** Why it is unknown which chunks are written. `unknown_grid`: the chunk grid is neither regular nor rectilinear, or `zarr.json` cannot be read. `too_large`: the array has room for too many chunks. `too_many_manifests`: it has too many manifests that must be read. `contradictory`: its manifests contradict the snapshot or each other. `manifest_missing`, `manifest_damaged`, `manifest_too_large`: a manifest cannot be read. */
export type UnknownGapsReason =
  | 'unknown_grid'
  | 'too_large'
  | 'too_many_manifests'
  | 'contradictory'
  | 'manifest_missing'
  | 'manifest_damaged'
  | 'manifest_too_large'
  | (string & {})

/** Positions along a dimension that lack the same number of chunks. */
export type ChunkGap = {
  /** First position along the dimension. */
  first: number
  /** Last position, inclusive. */
  last: number
  /** Chunks that are written at each of these positions. */
  written: number
  /** Chunks that each of these positions has, without those of patterns. */
  total: number
}

/** Positions of another dimension that have no written chunk anywhere, as if by design. */
export type EmptySlices = {
  /** Name of another dimension. */
  dimension: string
  /** First empty position. */
  first: number
  /** Last empty position, inclusive. */
  last: number
}

/** How many chunks are written along a dimension. */
export type WrittenProfile = {
  /** Number of positions that a bin covers; the last bin can cover fewer. */
  bin: number
  /** Written chunks of each bin. */
  written: number[]
}

/** A dimension of an array, in positions of chunks. */
export type GapDimension = {
  /** As xarray names it: `dim_0`, `dim_1`, ... for dimensions without a name. */
  name: string
  /** Number of chunks along the dimension; with sharding, of shards. */
  positions: number
  /** Number of elements along one chunk; null if sizes differ. */
  size: number | null
  /** Null if the request names `along`. */
  profile: WrittenProfile | null
}

/** Which chunks of an array are not written. */
export type ArrayGaps = {
  /** Path of the array without a leading slash. */
  path: string
  /** The dimension along which gaps are listed: the one that the request names; else the first that is a time by its coordinate or its name; else the first with more than one position. Null for an array without dimensions or without the named one. */
  along: string | null
  /** Of the whole array; null when it is unknown. */
  chunks: WrittenChunks | null
  /** Why `chunks` is null; otherwise null. */
  reason: UnknownGapsReason | null
  /** References to chunks outside of the grid, which are not counted. Icechunk before 1.0 leaves them behind when an array shrinks. */
  outside: number
  /** The last position along the dimension that has any chunk. What lies beyond is not yet written, and no gap. Null when no chunk is written, or that is unknown. */
  last_written: number | null
  /** Positions up to `last_written` that lack chunks, ascending. */
  gaps: ChunkGap[]
  /** What is empty at every position along the dimension, and so is no gap. */
  patterns: EmptySlices[]
  /** In the order of the array. */
  dimensions: GapDimension[]
}

/** Which chunks of the arrays of a snapshot are not written. */
export type Gaps = {
  snapshot_id: SnapshotId
  /** Sorted by UTF-8 bytes of the path. */
  arrays: ArrayGaps[]
  /** Send it as `after` for the next page; null on the last page. */
  next: string | null
  /** Whether a list of an array was cut after 1,000. */
  truncated: boolean
}

/** A file that has virtual chunks. */
export type SourceFile = {
  /** Address of the file. One that is stored relative to a container is completed, if the repository declares the container. User information, query and fragment are left out, because they could be credentials; an address that is no URL and could contain some is `(not shown)`. */
  file: string
  /** Chunks that are parts of the file. */
  chunks: number
  /** Bytes of these chunks. */
  bytes: number
  /** Arrays that have such chunks. */
  arrays: number
}

/** The chunks of an array that are parts of one file. */
export type ServedArray = {
  /** Path of the array without a leading slash. */
  path: string
  /** Chunks of the array that are parts of the file. */
  chunks: number
  /** Bytes of these chunks. */
  bytes: number
  /** Positions of these chunks: from the first to the last along each dimension, inclusive. */
  ranges: {
    /** One number for each dimension. */
    first: number[]
    /** One number for each dimension. */
    last: number[]
  }[]
}

/** An array with a manifest that was not read. */
export type UnreadArray = {
  /** Path of the array without a leading slash. */
  path: string
  reason: UnknownGapsReason
}

/** The files that the virtual chunks of a snapshot are in. */
export type ChunkSources = {
  snapshot_id: SnapshotId
  /** Sorted by UTF-8 bytes of the address. */
  files: SourceFile[]
  /** Null without `file`. Sorted by UTF-8 bytes of the path. */
  arrays: ServedArray[] | null
  /** Arrays with a manifest that was not read. Their chunks in it are not counted. */
  unknown: UnreadArray[]
  /** Send it as `after` for the next page; null on the last page. */
  next: string | null
  /** Whether `arrays`, `unknown` or ranges were cut. */
  truncated: boolean
}

/** The stored members of `zarr.json`. That of a group also has `consolidated_metadata`, whose `metadata` has the documents of all nodes below, by their paths from the group. */
export type ZarrDocument = Record<string, JsonValue>

/** Where and when the data lies, according to the attributes of the dataset, or else of a group above it. */
export type StatedExtent = {
  /** West, south, east, north in degrees. East is less than west if the box crosses the antimeridian. */
  bbox: number[] | null
  /** Null when no start is stated. */
  start: string | null
  /** Null when no end is stated. */
  end: string | null
}

/** A variable of a dataset that was found. */
export type FoundVariable = {
  /** Name of the variable. */
  name: string
  standard_name: string | null
  long_name: string | null
  units: string | null
  /** The decoded dtype, as in `info`. */
  type: string
  /** Names of its dimensions. */
  dimensions: string[]
  /** Whether no other variable of the dataset has more of the words and values of the search. */
  matched: boolean
}

/** A dataset that was found. */
export type FoundDataset = {
  /** Name of the repository. */
  repo: string
  /** The branch that was indexed. */
  branch: string
  /** The snapshot that was indexed. */
  snapshot_id: SnapshotId
  /** Path of the group. In a URL, write `/` as it is or as `%2F`. */
  group: string
  title: string | null
  summary: string | null
  /** Sizes by name, of the first 20 dimensions. */
  dimensions: Record<string, number>
  extent: StatedExtent
  /** Its kind, as its metadata state it: one of grid, scene, image, radar, trajectory, station, profile, point, mesh, table, variants, training set; null if they state none. */
  kind: string | null
  /** The first 20: those that matched, best first, then data variables, then coordinates. */
  variables: FoundVariable[]
  /** Number of all variables. */
  variable_count: number
  /** The last commit that changed the dataset, as far as the index has seen it. */
  changed: {
    /** When it was committed. */
    at: string
    /** Message of the commit, cut after 200 characters. */
    message: string
  }
  /** Why xarray cannot open the group, which is then found and shown as it is stored; otherwise null. */
  refusal: string | null
  /** The first 3 remarks about the dataset: retractions, then notes. A retracted dataset comes after all others. */
  remarks: Remark[]
  /** Address of the page of the dataset, beginning with `/`. */
  href: string
}

/** The values of a facet, the most frequent first. */
export type FacetValues = {
  /** The value. */
  value: string
  /** Number of datasets that have it. */
  count: number
}[]

/** A word that was not found. */
export type UnknownWord = {
  /** The word, in lower case. */
  word: string
  /** Words that some dataset has and that differ in one or two characters. */
  near: string[]
  /** A repository whose name contains the word; search in it with `repo`. */
  repository: string | null
}

/** A page of the datasets that match. */
export type SearchAnswer = {
  /** By relevance, then with fewer variables first; or by last change, to the second. Then by repository and branch. */
  results: FoundDataset[]
  /** The 20 most frequent values with the number of datasets that have them, counted over the first 1,000 datasets found. Of a dataset, the first 64 variables that matched count; if none did, its first 16 variables. Units that mean the same count together. */
  facets: {
    variable?: FacetValues | undefined
    standard_name?: FacetValues | undefined
    units?: FacetValues | undefined
    dimension?: FacetValues | undefined
    dtype?: FacetValues | undefined
    institution?: FacetValues | undefined
    keyword?: FacetValues | undefined
    licence?: FacetValues | undefined
    kind?: FacetValues | undefined
  }
  /** Number of datasets found. */
  total: number
  /** False when there is more than a search reads: 16,384 branches, where each 256 datasets count as a branch. */
  total_is_exact: boolean
  /** With `bbox` or `time`: number of datasets that match apart from that, but state no such extent. Otherwise null. */
  without_extent: number | null
  /** When nothing was found: words of the query that none of the searched datasets has, at most five. */
  unknown_words: UnknownWord[]
  /** Send it as `before` for the next page; null on the last page. */
  next: string | null
  /** How current the index is. */
  index: {
    /** Number of repositories searched. */
    repositories: number
    /** Number of their branches whose last commit is not indexed yet, or could not be indexed. */
    pending: number
    /** Number of these that could not be indexed, such as of a damaged repository; Floe tries again. */
    failed: number
    /** Since when the first of these has been waiting; null when none waits. */
    oldest: string | null
    /** Number of datasets left out, because their repository has too many datasets or too many words. */
    omitted: number
  }
}

/** A link to another document. */
export type StacLink = {
  /** How the other document is related to this one, such as `child` or `parent`. */
  rel: string
  /** Its address, absolute. */
  href: string
  /** Its media type. */
  type?: string | undefined
  /** What to show for it. */
  title?: string | undefined
}

/** A list of other catalogs, or of the datasets of a repository. */
export type StacCatalog = {
  /** Kind of the document. */
  type: 'Catalog'
  /** Version of STAC: `1.1.0`. */
  stac_version: string
  /** Names of organisation and deployment, then `~` and that of a repository, or `~~` and the number of a page. */
  id: string
  /** What to show for the catalog; of a repository, the title in its metadata, else its name. */
  title: string
  /** What the catalog contains; of a repository, the description in its metadata if there is one. */
  description: string
  /** `root`, `self`, `parent`, a page for people, and a `child` for each entry; `preview` is the thumbnail that the metadata of a repository states. */
  links: StacLink[]
}

/** A dimension of a dataset. */
export type StacCubeDimension = {
  /** `spatial` or `temporal` where the variable of the dimension says so; `other` for all others, and for directions whose extent is not stated. */
  type: string
  /** Direction of a spatial dimension. */
  axis?: 'x' | 'y' | 'z' | (string & {}) | undefined
  /** First and last value: degrees, or instants. Null where the attributes do not state them. */
  extent: (number | string | null)[]
  /** Attribute `units` of the variable of the dimension. */
  unit?: string | undefined
  /** Attribute `long_name` of the variable of the dimension. */
  description?: string | undefined
}

/** A variable of a dataset. */
export type StacCubeVariable = {
  /** Names of its dimensions; `null` for one without a name. */
  dimensions: string[]
  /** `data`, or `auxiliary` for a coordinate that is no dimension. */
  type: string
  /** Size in each dimension. */
  shape: number[]
  /** Decoded type of its values; `other` for those that STAC does not know. */
  data_type: string
  /** Attribute `units`. */
  unit?: string | undefined
  /** Attribute `long_name`. */
  description?: string | undefined
}

/** The dataset in its Icechunk repository. */
export type StacAsset = {
  /** Location of the repository; for a group below the root, followed by the path of the group at this version, in the form `LOCATION|icechunk://branch.main/GROUP/|zarr3`. */
  href: string
  /** `application/vnd.zarr+icechunk`. */
  type: string
  /** What to show for it. */
  title: string
  /** `data`, and `latest-version` for a branch. */
  roles: string[]
  /** Branch, tag or snapshot id. */
  version: string
  /** Names of its schemes in `storage:schemes`. */
  'storage:refs'?: string[] | undefined
  /** Reference system that the attributes state, such as `EPSG:32632`. */
  'proj:code'?: string | undefined
  /** Stated box: west, south, east, north in that system. */
  'proj:bbox'?: number[] | undefined
  /** Where the box follows from a grid: six numbers that turn column and row into a place in that system. */
  'proj:transform'?: number[] | undefined
  /** Rows and columns of that grid. */
  'proj:shape'?: number[] | undefined
}

/** A dataset. It has no items. */
export type StacCollection = {
  /** Kind of the document. */
  type: 'Collection'
  /** Version of STAC: `1.1.0`. */
  stac_version: string
  /** Schemas of the extensions that the document uses. */
  stac_extensions: string[]
  /** Names of organisation, deployment and repository, and those in the path of the group, with `~` between them. `!` and two hexadecimal digits stand for a byte that is not a letter, digit, `-`, `_` or `.`. */
  id: string
  /** Attribute `title`, also of a group above or of the metadata of the repository; else the path. */
  title: string
  /** Attribute `summary` or `description`, also of a group above or of the metadata of the repository; else the names of the variables. And what the attributes do not state. */
  description: string
  /** Attribute `keywords`, also of a group above. */
  keywords?: string[] | undefined
  /** SPDX identifier; `other` if the attributes state another license, or none. */
  license: string
  /** Creators and publisher, from attributes. */
  providers?:
    | {
        /** Name. */
        name: string
        /** `producer` created the data, `host` publishes it. */
        roles: ('producer' | 'host' | (string & {}))[]
      }[]
    | undefined
  /** Extent that the attributes state, also those of a group above. */
  extent: {
    /** Extent in space. */
    spatial: {
      /** `bbox` has one box: west, south, east, north in degrees. If it crosses the 180th meridian, west is greater than east, and two more boxes are its parts. It is the whole Earth if no box is known; `description` then says so. */
      bbox: number[][]
    }
    /** Extent in time. */
    temporal: {
      /** One interval: start and end. Null where the attributes state none. */
      interval: (string | null)[][]
    }
  }
  /** Id of the snapshot that the document describes. */
  version: SnapshotId
  /** When the snapshot was committed: UTC, milliseconds. */
  updated: string
  /** Only if the dataset is retracted. */
  deprecated?: true | undefined
  /** DOI that an attribute states, without an address. */
  'sci:doi'?: string | undefined
  /** Reference system that the attributes state, such as `EPSG:32632`. */
  'proj:code'?: string | undefined
  /** Stated box: west, south, east, north in that system. */
  'proj:bbox'?: number[] | undefined
  /** Where the box follows from a grid: six numbers that turn column and row into a place in that system. */
  'proj:transform'?: number[] | undefined
  /** Rows and columns of that grid. */
  'proj:shape'?: number[] | undefined
  /** Dimensions by name. */
  'cube:dimensions'?: Record<string, StacCubeDimension> | undefined
  /** Variables by name, without those that are dimensions. */
  'cube:variables'?: Record<string, StacCubeVariable> | undefined
  /** Stores of the assets, only if the operator publishes them: `type` (`aws-s3`, `custom-s3`, `ms-azure` or `gcs`), `platform`, `bucket`, `region`, `account`, and `anonymous`, which says whether anyone may read. */
  'storage:schemes'?: Record<string, Record<string, unknown>> | undefined
  /** `branch` or `tag`, and `snapshot`; only if the operator publishes where the repository is. */
  assets?: Record<string, StacAsset> | undefined
  /** `root`, `self`, `parent`; `alternate` is the page, `describedby` the schema in JSON, `version-history` the history, `successor-version` what to use instead of a retracted dataset; `store` is the repository, `license`, `cite-as` and `preview`, a thumbnail, are what the attributes state. */
  links: StacLink[]
}

/** One aspect of a dataset, as a metadata change proposal of DataHub. */
export type DataHubProposal = {
  /** Kind of what is described. */
  entityType: 'dataset'
  /** URN of the dataset: `urn:li:dataset:(urn:li:dataPlatform:icechunk,ORG/REPO/GROUP,PROD)`. In names, `%` and two hexadecimal digits stand for a byte of `%`, a comma, a bracket or `␟`. A long name is cut, and ends in a hash of the whole name. */
  entityUrn: string
  /** The aspect replaces the one that DataHub has. */
  changeType: 'UPSERT'
  /** What the aspect is about: title, description, extents and version; variables; keywords; creators and publisher; links; a retraction. Only aspects that have something to state are listed. */
  aspectName:
    | 'datasetProperties'
    | 'schemaMetadata'
    | 'globalTags'
    | 'ownership'
    | 'institutionalMemory'
    | 'deprecation'
    | (string & {})
  /** The aspect. */
  aspect: {
    /** The aspect, in the form of DataHub. */
    json: Record<string, unknown>
  }
}

/** A dataset as a file that DataHub ingests. */
export type DataHubProposals = DataHubProposal[]

/** A variable as a column of OpenMetadata. */
export type OpenMetadataColumn = {
  /** Name of the variable. */
  name: string
  /** `ARRAY`, or the type of a variable without dimensions. */
  dataType:
    | 'ARRAY'
    | 'BOOLEAN'
    | 'INT'
    | 'UINT'
    | 'FLOAT'
    | 'INTERVAL'
    | 'TIMESTAMP'
    | 'BYTES'
    | 'STRING'
    | 'UNKNOWN'
    | (string & {})
  /** Type of the elements of an array. */
  arrayDataType?:
    | 'BOOLEAN'
    | 'INT'
    | 'UINT'
    | 'FLOAT'
    | 'INTERVAL'
    | 'TIMESTAMP'
    | 'BYTES'
    | 'STRING'
    | 'UNKNOWN'
    | (string & {})
    | undefined
  /** Decoded type and dimensions, such as `float32(time, latitude)`. */
  dataTypeDisplay: string
  /** `long_name` or `standard_name`, with the units. */
  description?: string | undefined
}

/** A request that creates or updates a container of OpenMetadata. */
export type OpenMetadataContainer = {
  /** `ORG/REPO/GROUP`. What OpenMetadata refuses in names, such as `::`, is written as by its connectors. */
  name: string
  /** Title of the dataset, else its path. */
  displayName: string
  /** Markdown: summary, then a list of what else the attributes state. */
  description: string
  /** `icechunk`, the storage service in OpenMetadata, which must exist. */
  service: string
  /** Address of the page of the dataset. */
  sourceUrl?: string | undefined
  /** The variables; none if xarray cannot open the group. */
  dataModel: {
    /** Whether the values of a column divide the data. */
    isPartitioned: false
    /** The variables. */
    columns: OpenMetadataColumn[]
  }
}

/** One commit between the previous head and the new one. */
export type NotificationCommit = {
  /** Snapshot id of the commit. */
  snapshot_id: SnapshotId
  /** Message of the commit. At most 16,384 characters (Unicode code points): a longer text is cut, and ends with `…`. */
  commit_message: string
  /** When the commit was written, by the writer's clock: ISO 8601, UTC, milliseconds. After a reset of the branch it can go back, so order notifications by the header `webhook-sequence`. */
  written_at: string
  /** Author of the commit: the first non-blank text among its metadata items `author_id`, `author_email`, `author_name` and `author`; `unknown` when there is none. At most 1,024 characters (Unicode code points): a longer text is cut, and ends with `…`. */
  author_id: string
}

/** `first_observation`: the service has seen no earlier head of this branch; read the state at `snapshot_id`. `history_rewritten`: the previous head is not an ancestor of the new one, usually after a reset, so commits from earlier notifications may be gone; clear the cache of the branch and read it again from `snapshot_id`. `too_many_commits`: more commits than one notification carries; walk the history back from `snapshot_id`. `repo_format_v1`: the repository uses version 1 of the Icechunk format, where each listed commit costs a request; migrate it to version 2 to receive the list. */
export type CommitsUnavailableReason = 'first_observation' | 'history_rewritten' | 'too_many_commits' | 'repo_format_v1'

/** The groups and arrays that changed since `previous_snapshot_id`, at most 50 of each kind, sorted by path or, if they were moved, by time. Lists can be shorter, so that the notification stays small. */
export type ChangedPaths = {
  /** Nodes that were created. */
  created: string[]
  /** Nodes that were deleted. */
  deleted: string[]
  /** Nodes whose `zarr.json` was written, nodes that were deleted and created again, and arrays with chunks that were written or deleted. */
  updated: string[]
  /** Each move of each commit, oldest first; a group moves with everything below it. */
  moved: {
    /** Path without a leading slash; the root is `""`. */
    from: string
    /** Path without a leading slash; the root is `""`. */
    to: string
  }[]
  /** Number of entries of each list before it was cut. */
  counts: {
    /** Number of created nodes. */
    created: number
    /** Number of deleted nodes. */
    deleted: number
    /** Number of updated nodes. */
    updated: number
    /** Number of moved nodes. */
    moved: number
  }
}

/** The facts of one head move: the head of a branch is another commit than before. */
export type NewCommitDetails = {
  /** Organisation that owns the repository. */
  org_name: string
  /** Name of the repository. */
  repo_name: string
  /** Id of the repository in the service. It stays the same when the location changes. */
  repo_id: string
  /** Branch whose head moved. */
  branch: string
  /** The new head of the branch. */
  snapshot_id: SnapshotId
  /** Parent commit of the new head; null when the head is the repository's first commit. */
  parent_snapshot_id: SnapshotId | null
  /** Message of the commit. At most 16,384 characters (Unicode code points): a longer text is cut, and ends with `…`. */
  commit_message: string
  /** When the commit was written, by the writer's clock: ISO 8601, UTC, milliseconds. After a reset of the branch it can go back, so order notifications by the header `webhook-sequence`. */
  written_at: string
  /** Author of the commit: the first non-blank text among its metadata items `author_id`, `author_email`, `author_name` and `author`; `unknown` when there is none. At most 1,024 characters (Unicode code points): a longer text is cut, and ends with `…`. */
  author_id: string
  /** What changed; null when it is unknown. Absent unless the webhook sets `include_changes`. */
  changes?: ChangedPaths | null | undefined
} & (
  | {
      /** The head that the service saw before this one; null in the first notification of the branch. */
      previous_snapshot_id: SnapshotId
      /** Every commit after `previous_snapshot_id` up to and including the head, oldest first; null when they cannot be listed. */
      commits: NotificationCommit[]
      /** Why `commits` is null; null when the commits are listed. The reason says what to do. */
      commits_unavailable_reason: null
    }
  | {
      /** The head that the service saw before this one; null in the first notification of the branch. */
      previous_snapshot_id: null
      /** Every commit after `previous_snapshot_id` up to and including the head, oldest first; null when they cannot be listed. */
      commits: null
      /** Why `commits` is null; null when the commits are listed. The reason says what to do. */
      commits_unavailable_reason: 'first_observation'
    }
  | {
      /** The head that the service saw before this one; null in the first notification of the branch. */
      previous_snapshot_id: SnapshotId
      /** Every commit after `previous_snapshot_id` up to and including the head, oldest first; null when they cannot be listed. */
      commits: null
      /** Why `commits` is null; null when the commits are listed. The reason says what to do. */
      commits_unavailable_reason: 'history_rewritten' | 'too_many_commits' | 'repo_format_v1'
    }
)

/** The notification of one head move. Accept fields that you do not know: later versions may add some. */
export type NewCommit = {
  /** What happened: `NewCommit` when the head of a branch moved. */
  event: 'NewCommit'
  details: NewCommitDetails
}

/** One difference that readers of a dataset see. */
export type NotifiedChange = {
  /** Path of the dataset, without a leading slash; the root is `""`. */
  group: string
  kind: ChangeKind
  /** What the change is about. `cost`: readers get the same values, slower or faster. */
  category: 'structure' | 'meaning' | 'values' | 'cost' | (string & {})
  verdict: ChangeVerdict
  /** The variable that the change is about; otherwise null. */
  variable: string | null
  /** `"null"` is the dimension without a name. */
  dimension: string | null
  /** The attribute that the change is about; otherwise null. */
  attribute: string | null
  /** The value in the earlier state; null where there is none. */
  before: unknown
  /** The value in the later state; null where there is none. */
  after: unknown
  /** Present if the new type holds every value of the old one exactly, as `float64` those of `float32`. */
  widened?: true | undefined
  /** The earlier path of an added dataset or variable that was moved. Renames are not guessed. */
  moved_from?: string | undefined
  /** Why xarray cannot open the dataset, or why the verdict is `unknown`. */
  reason?: string | undefined
}

/** Numbers of changes by verdict. */
export type NotifiedCounts = {
  /** Number of changes with the verdict `breaking`. */
  breaking: number
  /** Number of changes with the verdict `unknown`. */
  unknown: number
  /** Number of changes with the verdict `compatible`. */
  compatible: number
  /** Number of changed groups that were not compared because the documents of all are too large. */
  not_compared: number
}

/** `timeout`: the comparison took too long. `too_large`: what changed exceeds a limit. `unreadable`: a snapshot or transaction log could not be read; that of a head which a reset left behind may be deleted. */
export type NotComparedReason = 'timeout' | 'too_large' | 'unreadable' | (string & {})

/** The head move, and what it means for those who read the datasets. */
export type SchemaChangedDetails = {
  /** Organisation that owns the repository. */
  org_name: string
  /** Name of the repository. */
  repo_name: string
  /** Id of the repository in the service. It stays the same when the location changes. */
  repo_id: string
  /** Branch whose head moved. */
  branch: string
  /** The new head of the branch. */
  snapshot_id: SnapshotId
  /** Parent commit of the new head; null when the head is the repository's first commit. */
  parent_snapshot_id: SnapshotId | null
  /** The head that the service saw before this one. */
  previous_snapshot_id: SnapshotId
  /** Whether those who read the datasets at `previous_snapshot_id` can read those at `snapshot_id`: the worst verdict of the changes. `unknown`: the metadata does not show it, or the datasets were not compared. */
  verdict: ChangeVerdict
  /** What readers see differently: breaking changes first, then unknown, then compatible ones. The list can be shorter, so that the notification stays small; `/compatibility/{repo}/{from}/{to}` answers the whole list. */
  changes: NotifiedChange[]
  /** Numbers before the list was cut; null when the datasets were not compared. */
  counts: NotifiedCounts | null
  /** Why the datasets were not compared, so that the verdict is `unknown`; null when they were. */
  not_compared_reason: NotComparedReason | null
}

/** The notification of a head move that changed what readers of datasets see. */
export type SchemaChanged = {
  /** A head move changed what readers of datasets see. */
  event: 'SchemaChanged'
  details: SchemaChangedDetails
}

/** The notification of a branch that was created. */
export type BranchCreated = {
  /** A branch was created. */
  event: 'BranchCreated'
  /** The branch, and the snapshot that it named. */
  details: {
    /** Organisation that owns the repository. */
    org_name: string
    /** Name of the repository. */
    repo_name: string
    /** Id of the repository in the service. It stays the same when the location changes. */
    repo_id: string
    /** The branch that was created. */
    branch: string
    /** The snapshot that it names. */
    snapshot_id: SnapshotId
    /** Always null. */
    previous_snapshot_id: null
  }
}

/** The notification of a branch that was deleted. */
export type BranchDeleted = {
  /** A branch was deleted. */
  event: 'BranchDeleted'
  /** The branch, and the snapshot that it named. */
  details: {
    /** Organisation that owns the repository. */
    org_name: string
    /** Name of the repository. */
    repo_name: string
    /** Id of the repository in the service. It stays the same when the location changes. */
    repo_id: string
    /** The branch that was deleted. */
    branch: string
    /** Always null. */
    snapshot_id: null
    /** The last snapshot that it named, as far as the service saw it. */
    previous_snapshot_id: SnapshotId
  }
}

/** The notification of a tag that was created. */
export type TagCreated = {
  /** A tag was created. */
  event: 'TagCreated'
  /** The tag, and the snapshot that it named. */
  details: {
    /** Organisation that owns the repository. */
    org_name: string
    /** Name of the repository. */
    repo_name: string
    /** Id of the repository in the service. It stays the same when the location changes. */
    repo_id: string
    /** The tag that was created. */
    tag: string
    /** The snapshot that it names. */
    snapshot_id: SnapshotId
    /** Always null. */
    previous_snapshot_id: null
  }
}

/** The notification of a tag that was deleted. */
export type TagDeleted = {
  /** A tag was deleted. */
  event: 'TagDeleted'
  /** The tag, and the snapshot that it named. */
  details: {
    /** Organisation that owns the repository. */
    org_name: string
    /** Name of the repository. */
    repo_name: string
    /** Id of the repository in the service. It stays the same when the location changes. */
    repo_id: string
    /** The tag that was deleted. */
    tag: string
    /** Always null. */
    snapshot_id: null
    /** The last snapshot that it named, as far as the service saw it. */
    previous_snapshot_id: SnapshotId
  }
}

/** The expectation, and what was found about the branch. */
export type FreshnessEventDetails = {
  /** Organisation that owns the repository. */
  org_name: string
  /** Name of the repository. */
  repo_name: string
  /** Id of the repository in the service. It stays the same when the location changes. */
  repo_id: string
  /** Id of the expectation. */
  expectation_id: string
  /** Name of the expectation for people; null if it has none. */
  expectation_alias: string | null
  /** The branch. */
  branch: string
  /** Since when the branch has not met it. */
  since: string
  /** Whether this is a reminder of an event that was sent before. */
  reminder: boolean
  /** The head of the branch that was judged; null if there is none. */
  snapshot_id: SnapshotId | null
  /** What the facts do not say, such as that the expectation was deleted or starts over; null otherwise. */
  reason: string | null
  /** What is expected. The last commit of the branch is not older than `max_age`, or came in time for `due`. */
  kind: 'freshness'
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity: 'info' | 'warning' | 'critical' | (string & {})
  within: string | null
  remind: string | null
  /** How old the last commit may become, from a minute to ten years: a whole number of seconds (`s`), minutes (`m`), hours (`h`) or days (`d`). Exactly one of it and `due` is needed. */
  max_age: string | null
  /** In place of `max_age`: a time of day in UTC, such as `07:30`. By then there must be a commit since the due time before. */
  due: string | null
  /** The days on which it is due, such as `mon`. Only with `due`. Null, the default, means every day. */
  days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun' | (string & {}))[] | null
  /** Pattern of groups and arrays: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only commits that created, deleted, moved or updated a node with such a path, or wrote its chunks, count. Null, the default, means that all count. */
  path: string | null
  facts: FreshnessFacts
}

/** The expectation, and what was found about the branch. */
export type WrittenEventDetails = {
  /** Organisation that owns the repository. */
  org_name: string
  /** Name of the repository. */
  repo_name: string
  /** Id of the repository in the service. It stays the same when the location changes. */
  repo_id: string
  /** Id of the expectation. */
  expectation_id: string
  /** Name of the expectation for people; null if it has none. */
  expectation_alias: string | null
  /** The branch. */
  branch: string
  /** Since when the branch has not met it. */
  since: string
  /** Whether this is a reminder of an event that was sent before. */
  reminder: boolean
  /** The head of the branch that was judged; null if there is none. */
  snapshot_id: SnapshotId | null
  /** What the facts do not say, such as that the expectation was deleted or starts over; null otherwise. */
  reason: string | null
  /** What is expected. Each array of the branch, or each step of it, has at least the share `share` of its chunks written. */
  kind: 'written'
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity: 'info' | 'warning' | 'critical' | (string & {})
  within: string | null
  remind: string | null
  /** Share of the chunks that must be written, greater than 0 and at most 1: of each array, or with `along` of each step. */
  share: number
  /** Pattern of groups and arrays: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only arrays with such a path count. Null, the default, means that all count. */
  path: string | null
  /** Name of a dimension, such as that of the runs of a forecast. Each position of chunks along it is a step, which is judged by itself, up to the last one that has any chunk. Only arrays with the dimension count. Null, the default, means that each array is judged as a whole. */
  along: string | null
  /** How many of the last steps are not judged, because a writer may still add chunks. Only with `along`. Null, the default, means none. */
  except_last: number | null
  /** Positions of chunks of other dimensions that do not count, because they are empty by design. What is empty in every step never counts. Only with `along`. Null, the default, means none. */
  ignore: IgnoredSlices[] | null
  /** Steps that are known to lack chunks, and are not judged. Only with `along`. Null, the default, means none. */
  accepted: AcceptedGap[] | null
  facts: WrittenFacts
}

/** The expectation, and what was found about the branch. */
export type ContractEventDetails = {
  /** Organisation that owns the repository. */
  org_name: string
  /** Name of the repository. */
  repo_name: string
  /** Id of the repository in the service. It stays the same when the location changes. */
  repo_id: string
  /** Id of the expectation. */
  expectation_id: string
  /** Name of the expectation for people; null if it has none. */
  expectation_alias: string | null
  /** The branch. */
  branch: string
  /** Since when the branch has not met it. */
  since: string
  /** Whether this is a reminder of an event that was sent before. */
  reminder: boolean
  /** The head of the branch that was judged; null if there is none. */
  snapshot_id: SnapshotId | null
  /** What the facts do not say, such as that the expectation was deleted or starts over; null otherwise. */
  reason: string | null
  /** What is expected. The branch keeps the contract of its datasets, the document that says what readers rely on. */
  kind: 'contract'
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity: 'info' | 'warning' | 'critical' | (string & {})
  within: string | null
  remind: string | null
  facts: ContractFacts
}

/** The expectation, and what was found about the branch. */
export type ProtectedEventDetails = {
  /** Organisation that owns the repository. */
  org_name: string
  /** Name of the repository. */
  repo_name: string
  /** Id of the repository in the service. It stays the same when the location changes. */
  repo_id: string
  /** Id of the expectation. */
  expectation_id: string
  /** Name of the expectation for people; null if it has none. */
  expectation_alias: string | null
  /** The branch. */
  branch: string
  /** Since when the branch has not met it. */
  since: string
  /** Whether this is a reminder of an event that was sent before. */
  reminder: boolean
  /** The head of the branch that was judged; null if there is none. */
  snapshot_id: SnapshotId | null
  /** What the facts do not say, such as that the expectation was deleted or starts over; null otherwise. */
  reason: string | null
  /** What is expected. The branch is only moved forward: it is not reset, rewritten or deleted. */
  kind: 'protected'
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity: 'info' | 'warning' | 'critical' | (string & {})
  within: string | null
  remind: string | null
  /** Patterns of the ids of the authors who may commit to the branch (`author_id`): `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Null, the default, means everybody. */
  authors: string[] | null
  /** Pattern of the tags of the repository that are never deleted: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Of more than 1,000, the first that were seen count. Null, the default, means none. */
  tags: string | null
  facts: ProtectedFacts
}

/** The expectation, and what was found about the branch. */
export type GoodEventDetails = {
  /** Organisation that owns the repository. */
  org_name: string
  /** Name of the repository. */
  repo_name: string
  /** Id of the repository in the service. It stays the same when the location changes. */
  repo_id: string
  /** Id of the expectation. */
  expectation_id: string
  /** Name of the expectation for people; null if it has none. */
  expectation_alias: string | null
  /** The branch. */
  branch: string
  /** Since when the branch has not met it. */
  since: string
  /** Whether this is a reminder of an event that was sent before. */
  reminder: boolean
  /** The head of the branch that was judged; null if there is none. */
  snapshot_id: SnapshotId | null
  /** What the facts do not say, such as that the expectation was deleted or starts over; null otherwise. */
  reason: string | null
  /** What is expected. The head of the branch is good: its checks have passed, it meets other expectations, and is not retracted. */
  kind: 'good'
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity: 'info' | 'warning' | 'critical' | (string & {})
  within: string | null
  remind: string | null
  /** Names of the checks that must have passed. Null, the default, means none. */
  checks: string[] | null
  /** Aliases of the expectations of the kinds `written` and `contract` that the head must meet. Null, the default, means all of the branch. */
  expectations: string[] | null
  facts: GoodFacts
}

/** A branch no longer meets an expectation. */
export type ExpectationUnmet = {
  /** A branch no longer meets an expectation. */
  event: 'ExpectationUnmet'
  /** The expectation, and what was found about the branch. */
  details: FreshnessEventDetails | WrittenEventDetails | ContractEventDetails | ProtectedEventDetails | GoodEventDetails
}

/** A branch meets an expectation again, or the expectation is gone or starts over. */
export type ExpectationMet = {
  /** A branch meets an expectation again, or the expectation is gone or starts over. */
  event: 'ExpectationMet'
  /** The expectation, and what was found about the branch. */
  details: FreshnessEventDetails | WrittenEventDetails | ContractEventDetails | ProtectedEventDetails | GoodEventDetails
}

/** The notification of a check of a snapshot that has another state, or is new. */
export type CheckPosted = {
  /** A check of a snapshot has another state, or is new. */
  event: 'CheckPosted'
  /** The check, and the snapshot that it is about. */
  details: {
    /** Organisation that owns the repository. */
    org_name: string
    /** Name of the repository. */
    repo_name: string
    /** Id of the repository in the service. It stays the same when the location changes. */
    repo_id: string
    /** A branch whose head the snapshot was; null if it was no head that Floe watches. */
    branch: string | null
    /** The snapshot that was checked. */
    snapshot_id: SnapshotId
    /** Name of the check. */
    check: string
    /** What the check found. `pending`: it still runs. `error`: the check itself failed, so that nothing is known of the snapshot. */
    state: 'pending' | 'passed' | 'failed' | 'error' | (string & {})
    /** What the check said before; null when it is new. */
    previous_state: 'pending' | 'passed' | 'failed' | 'error' | (string & {}) | null
    /** What the check says, in one line for people; null when it says nothing. */
    text: string | null
    /** Where people read more, an https URL; null when there is none. */
    link: string | null
    /** Numbers that the check has found, by their names; at most 20. */
    figures: Record<string, CheckFigure>
  }
}

/** The notification that another head of a branch is the last good one, or none is any more. */
export type GoodMoved = {
  /** Another head of a branch is the last good one, or none is any more. */
  event: 'GoodMoved'
  /** The branch, and its last good head. */
  details: {
    /** Organisation that owns the repository. */
    org_name: string
    /** Name of the repository. */
    repo_name: string
    /** Id of the repository in the service. It stays the same when the location changes. */
    repo_id: string
    /** Id of the expectation. */
    expectation_id: string
    /** Name of the expectation for people; null if it has none. */
    expectation_alias: string | null
    /** The branch. */
    branch: string
    /** The last good head, which `BRANCH@good` names; null if none is good. */
    snapshot_id: SnapshotId | null
    /** The one before; null if none was good. */
    previous_snapshot_id: SnapshotId | null
    /** How many heads the branch has had since that one; null if none is good. */
    behind: number | null
    /** Why no head is good any more, such as that the expectation was deleted; null if the heads show why. */
    reason: string | null
  }
}

/** The notification of a note. */
export type NotePosted = {
  /** An administrator posted a note. */
  event: 'NotePosted'
  /** What the note is about, and what it says. */
  details: {
    /** Organisation that owns the repository. */
    org_name: string
    /** Name of the repository. */
    repo_name: string
    /** Id of the repository in the service. It stays the same when the location changes. */
    repo_id: string
    /** Id of the remark. */
    remark_id: string
    /** The snapshot that it is about. */
    snapshot: SnapshotId | null
    /** The first of a range of snapshots. */
    from: SnapshotId | null
    /** The last of a range of snapshots. */
    to: SnapshotId | null
    /** The branch or tag that it is about, as long as readers use this name. */
    ref: string | null
    /** The group that it is about, with all that is in it, or the array. */
    path: string | null
    /** What it says, in plain text. */
    text: string
    /** When the note is first shown; null for always. */
    since: string | null
    /** When the note is no longer shown; null for never. */
    until: string | null
    /** What to use instead: a repository, perhaps with a ref, or a link; null when there is nothing. */
    superseded_by: Successor | null
  }
}

/** The notification of a retraction. */
export type SnapshotRetracted = {
  /** An administrator retracted snapshots or datasets. */
  event: 'SnapshotRetracted'
  /** What the retraction is about, and what it says. */
  details: {
    /** Organisation that owns the repository. */
    org_name: string
    /** Name of the repository. */
    repo_name: string
    /** Id of the repository in the service. It stays the same when the location changes. */
    repo_id: string
    /** Id of the remark. */
    remark_id: string
    /** The snapshot that it is about. */
    snapshot: SnapshotId | null
    /** The first of a range of snapshots. */
    from: SnapshotId | null
    /** The last of a range of snapshots. */
    to: SnapshotId | null
    /** The branch or tag that it is about, as long as readers use this name. */
    ref: string | null
    /** The group that it is about, with all that is in it, or the array. */
    path: string | null
    /** What it says, in plain text. */
    text: string
    /** When the note is first shown; null for always. */
    since: string | null
    /** When the note is no longer shown; null for never. */
    until: string | null
    /** What to use instead: a repository, perhaps with a ref, or a link; null when there is nothing. */
    superseded_by: Successor | null
  }
}

/** Floe disabled another webhook or chat. */
export type ReceiverDisabled = {
  /** Floe disabled another webhook or chat. */
  event: 'ReceiverDisabled'
  /** What it is about. */
  details: {
    /** Organisation that owns the repository. */
    org_name: string
    /** Repository of the delivery that failed. */
    repo_name: string
    /** Id of the repository in the service. It stays the same when the location changes. */
    repo_id: string
    /** Id of the webhook or chat. */
    receiver_id: string
    /** Its name for people. */
    receiver_alias: string
    /** Its kind. */
    receiver_kind: 'webhook' | 'chat' | (string & {})
    /** Whether it belongs to the repository or to the organisation. */
    receiver_scope: 'repository' | 'organisation' | (string & {})
    /** Time of the first failure since its last success. */
    failing_since: string
    /** Status of its last answer; null when there was none. */
    last_status: number | null
    /** `gone`: it answered 410. `too_many_failures`: the last attempt of a delivery failed. */
    reason: 'gone' | 'too_many_failures' | (string & {})
  }
}

/** Another webhook or chat failed the first three attempts of a delivery. */
export type ReceiverFailing = {
  /** Another webhook or chat failed the first three attempts of a delivery. */
  event: 'ReceiverFailing'
  /** What it is about. */
  details: {
    /** Organisation that owns the repository. */
    org_name: string
    /** Repository of the delivery that failed. */
    repo_name: string
    /** Id of the repository in the service. It stays the same when the location changes. */
    repo_id: string
    /** Id of the webhook or chat. */
    receiver_id: string
    /** Its name for people. */
    receiver_alias: string
    /** Its kind. */
    receiver_kind: 'webhook' | 'chat' | (string & {})
    /** Whether it belongs to the repository or to the organisation. */
    receiver_scope: 'repository' | 'organisation' | (string & {})
    /** Time of the first failure since its last success. */
    failing_since: string
    /** Status of its last answer; null when there was none. */
    last_status: number | null
  }
}

/** The head of a repository could not be read for at least a minute. */
export type RepositoryUnreadable = {
  /** The head of a repository could not be read for at least a minute. */
  event: 'RepositoryUnreadable'
  /** What it is about. */
  details: {
    /** Organisation that owns the repository. */
    org_name: string
    /** Name of the repository. */
    repo_name: string
    /** Id of the repository in the service. It stays the same when the location changes. */
    repo_id: string
    /** Time of the first check that failed. */
    unreadable_since: string
    /** Code of the problem. */
    reason: string
  }
}

/** A repository that could not be read can be read again. */
export type RepositoryBack = {
  /** A repository that could not be read can be read again. */
  event: 'RepositoryBack'
  /** What it is about. */
  details: {
    /** Organisation that owns the repository. */
    org_name: string
    /** Name of the repository. */
    repo_name: string
    /** Id of the repository in the service. It stays the same when the location changes. */
    repo_id: string
    /** Time of the first check that failed. */
    unreadable_since: string
  }
}

/** One event of a repository. Accept events and fields that you do not know: later versions may add some. */
export type Notification =
  | NewCommit
  | SchemaChanged
  | BranchCreated
  | BranchDeleted
  | TagCreated
  | TagDeleted
  | ExpectationUnmet
  | ExpectationMet
  | CheckPosted
  | GoodMoved
  | NotePosted
  | SnapshotRetracted
  | ReceiverDisabled
  | ReceiverFailing
  | RepositoryUnreadable
  | RepositoryBack

/** A repository as its administrators see it. */
export type WatchedRepository = {
  /** Name of the repository. */
  name: string
  /** Stable id, the same as in notifications. */
  repo_id: string
  /** Location of the repository, without credentials. */
  location: string
  /** Version of the Icechunk format; null until it has been read. */
  format_version: number | null
  /** The last head of `main` that was seen; null before the first. */
  head: SnapshotId | null
  /** Time of the last check of the head; null before the first. */
  last_checked_at: string | null
  /** Why the last check failed; null when it succeeded. */
  error: string | null
  /** The head in the index of search; null when search is disabled, and before the first head. */
  search_index: {
    /** Whether the head is not indexed yet. */
    is_pending: boolean
    /** Why the last attempt to index the head failed, or found no dataset; otherwise null. */
    error: string | null
  } | null
}

/** The repositories of an organisation that the key covers. */
export type WatchedRepositoryList = {
  /** Sorted by UTF-8 bytes of their names. */
  items: WatchedRepository[]
}

/** The result of a check of the head of `main`. */
export type HeadCheck = {
  /** The head of `main`. */
  snapshot_id: SnapshotId
  /** The head seen before this check; null when there was none. */
  previous_snapshot_id: SnapshotId | null
  /** The event that this check recorded; null if the head had not moved, or was the first one and nothing listens. */
  event_id: string | null
}

/** One change that an administrator made. */
export type AuditEntry = {
  /** Id of the entry. */
  id: string
  /** When the change was made. */
  at: string
  /** The repository that the change concerns; null when it concerns the organisation, such as its API keys. */
  repo_name: string | null
  /** Id of the API key or of the account with which the change was made. */
  key_id: string
  /** The name that the key had at that time; null when it had none. */
  key_name: string | null
  /** The client that made the change with a token of the key; null when it was made with the key itself. */
  client: string | null
  /** Whose account it is; null for an API key. */
  person: {
    /** The issuer that vouches for the person or program. */
    issuer: string
    /** Id of the person or program at the issuer. */
    subject: string
    /** E-mail address; null when the issuer gives none, or calls it unverified. */
    email: string | null
  } | null
  /** What was done. */
  action: string
  /** Id of the record that was changed. */
  subject_id: string | null
  /** The record before the change, without secrets; null when it is new. */
  before: Record<string, unknown> | null
  /** The record after the change, without secrets; null when it was deleted. */
  after: Record<string, unknown> | null
}

/** A page of the audit log. */
export type AuditPage = {
  /** Newest first. */
  items: AuditEntry[]
  /** Send it as `before` for the next page; null on the last page. */
  next: string | null
}

/** A message of Amazon S3, as it writes to a topic or queue. */
export type S3Event = {
  Records: {
    eventName: string
    s3: {
      bucket: { name: string; [member: string]: unknown }
      object: { key: string; [member: string]: unknown }
      [member: string]: unknown
    }
    [member: string]: unknown
  }[]
  [member: string]: unknown
}

/** The first message of Amazon S3 to a new target. */
export type S3TestEvent = { Event: 's3:TestEvent'; [member: string]: unknown }

/** A message of Amazon SNS. `Message` holds one of Amazon S3 as text. */
export type SnsMessage = {
  Type: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation'
  TopicArn: string
  Message: string
  Token?: string | undefined
  [member: string]: unknown
}

/** A message of Amazon S3 through EventBridge. */
export type EventBridgeEvent = {
  source: 'aws.s3'
  'detail-type': string
  detail: {
    bucket: { name: string; [member: string]: unknown }
    object: { key: string; [member: string]: unknown }
    [member: string]: unknown
  }
  [member: string]: unknown
}

/** Messages of Azure Event Grid, in its own schema. */
export type EventGridEvents = {
  eventType: string
  subject: string
  data: { validationCode?: string | undefined; [member: string]: unknown }
  [member: string]: unknown
}[]

/** A push of Google Pub/Sub about a bucket. */
export type PubSubPush = {
  message: {
    attributes: { eventType: string; bucketId: string; objectId: string; [member: string]: unknown }
    [member: string]: unknown
  }
  [member: string]: unknown
}

/** What Amazon S3 (directly, through SNS or EventBridge), Azure Event Grid or Google Pub/Sub sends. */
export type StorageEvents = S3Event | S3TestEvent | SnsMessage | EventBridgeEvent | EventGridEvents | PubSubPush

/** The answer to a message of an object store. */
export type StorageEventAnswer = {
  /** Number of repositories that are checked now. */
  repositories: number
  /** The validation code of Azure Event Grid, which confirms its subscription. */
  validationResponse?: string | undefined
  /** What an administrator has to do to receive notifications. */
  next?: string | undefined
}

/** The conditions of a search that a dataset can meet, as in `/search`. */
export type StoredSearch = {
  /** Words that must all occur. */
  q?: string | undefined
  /** Names of a variable; one of the values is enough. */
  variable?: string[] | undefined
  /** Attribute `standard_name` of a variable; one of the values is enough. */
  standard_name?: string[] | undefined
  /** Attribute `units` of a variable, in any spelling of the same unit; one of the values is enough. */
  units?: string[] | undefined
  /** Names of a dimension; one of the values is enough. */
  dimension?: string[] | undefined
  /** Decoded dtype of a variable; one of the values is enough. */
  dtype?: string[] | undefined
  /** Attribute `institution` of the dataset; one of the values is enough. */
  institution?: string[] | undefined
  /** Keywords of the dataset; one of the values is enough. */
  keyword?: string[] | undefined
  /** Licences of the dataset; `no licence stated` for those that state none; one of the values is enough. */
  licence?: string[] | undefined
  /** Kinds of datasets; one of the values is enough. */
  kind?: string[] | undefined
  /** Attributes of the dataset, as `name=value`; one of the values is enough. */
  attribute?: string[] | undefined
  /** `west,south,east,north` in degrees, which overlaps the box that the dataset states. */
  bbox?: string | undefined
  /** `start/end`, which overlaps the time that the dataset states. */
  time?: string | undefined
}

/** A webhook, which receives the JSON notification. */
export type Webhook = {
  /** Id of the webhook or chat. */
  id: string
  /** Whether it is a webhook or a chat. */
  kind: 'webhook'
  /** Name for people; unique among the webhooks and chats of the repository or organisation. */
  alias: string
  /** Events that are sent. */
  events: (
    | 'NewCommit'
    | 'SchemaChanged'
    | 'BranchCreated'
    | 'BranchDeleted'
    | 'TagCreated'
    | 'TagDeleted'
    | 'ExpectationUnmet'
    | 'ExpectationMet'
    | 'CheckPosted'
    | 'GoodMoved'
    | 'NotePosted'
    | 'SnapshotRetracted'
    | 'ReceiverDisabled'
    | 'ReceiverFailing'
    | 'RepositoryUnreadable'
    | 'RepositoryBack'
    | (string & {})
  )[]
  /** Patterns of repositories whose events are sent; null for a webhook or chat of a repository. */
  repos: string[] | null
  /** Patterns of branches whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Events of tags are sent whatever the branch. Floe starts watching a branch when a receiver or a stream selects it; earlier changes are not sent. */
  branches: string[]
  /** Kinds of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all, also for those that come later. */
  kinds: ('freshness' | 'written' | 'contract' | 'protected' | 'good' | (string & {}))[] | null
  /** Least severity of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all. */
  severity: 'info' | 'warning' | 'critical' | (string & {}) | null
  /** Names of checks whose `CheckPosted` is sent. null, the default, stands for all. */
  checks: string[] | null
  /** States with which `CheckPosted` is sent. null, the default, stands for all. */
  states: ('pending' | 'passed' | 'failed' | 'error' | (string & {}))[] | null
  /** Patterns of groups and arrays, like those of branches. `NewCommit` and `SchemaChanged` are sent only if a commit created, deleted, moved or updated a node with such a path, or wrote its chunks, and also if the changes are unknown. `forecast/**` is the group `forecast` and everything below it. */
  paths: string[]
  /** Only commits that touched a dataset that meets these conditions before or after them: `NewCommit` and `SchemaChanged` are sent if such a dataset, something in it or a group above it was created, deleted, moved or updated, or its chunks were written, and also if that is unknown. null, the default, stands for all commits, and for a webhook or chat of a repository. */
  search: StoredSearch | null
  /** Verdicts with which `SchemaChanged` is sent. Default for a new webhook or chat: `breaking` and `unknown`. */
  compatibility: ChangeVerdict[]
  /** Whether `details.changes` of `NewCommit` says what changed. Default for a new webhook: false. */
  include_changes: boolean
  /** How requests are written, always signed. `standard`: the notification alone. `cloudevents-binary`: with the attributes of CloudEvents 1.0 in `ce-*` headers. `cloudevents-structured`: as the `data` of a CloudEvent, `application/cloudevents+json`. Default `standard`. */
  format: 'standard' | 'cloudevents-binary' | 'cloudevents-structured' | (string & {})
  /** Whether notifications are sent to it; otherwise they are held. */
  enabled: boolean
  /** Why it is disabled; null while it is enabled. */
  disabled_reason: string | null
  /** Whether it is declared in the service's configuration file, and can only be changed and deleted there. */
  declared: boolean
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
  /** When it last accepted a notification; null when it never did. */
  last_success_at: string | null
  /** Time of the first failure since the last success; null when there was none. */
  failing_since: string | null
  /** Status of the answer to the last failed attempt since then; null when there was none. */
  last_status: number | null
  /** Why that attempt failed; null when there was none. */
  last_error: string | null
  /** Number of deliveries waiting until it is enabled again, for at most 90 days. */
  held: number
  /** Where notifications are sent. */
  url: string
  /** Whether requests carry `X-Secret-Token`, which is never shown. */
  has_secret_token: boolean
  /** Names of the headers that the webhook adds to its requests; their values are never shown. */
  header_names: string[]
}

/** A chat, which receives one line of text for each event, or several lines in one message. */
export type Chat = {
  /** Id of the webhook or chat. */
  id: string
  /** Whether it is a webhook or a chat. */
  kind: 'chat'
  /** Name for people; unique among the webhooks and chats of the repository or organisation. */
  alias: string
  /** Events that are sent. */
  events: (
    | 'NewCommit'
    | 'SchemaChanged'
    | 'BranchCreated'
    | 'BranchDeleted'
    | 'TagCreated'
    | 'TagDeleted'
    | 'ExpectationUnmet'
    | 'ExpectationMet'
    | 'CheckPosted'
    | 'GoodMoved'
    | 'NotePosted'
    | 'SnapshotRetracted'
    | 'ReceiverDisabled'
    | 'ReceiverFailing'
    | 'RepositoryUnreadable'
    | 'RepositoryBack'
    | (string & {})
  )[]
  /** Patterns of repositories whose events are sent; null for a webhook or chat of a repository. */
  repos: string[] | null
  /** Patterns of branches whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Events of tags are sent whatever the branch. Floe starts watching a branch when a receiver or a stream selects it; earlier changes are not sent. */
  branches: string[]
  /** Kinds of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all, also for those that come later. */
  kinds: ('freshness' | 'written' | 'contract' | 'protected' | 'good' | (string & {}))[] | null
  /** Least severity of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all. */
  severity: 'info' | 'warning' | 'critical' | (string & {}) | null
  /** Names of checks whose `CheckPosted` is sent. null, the default, stands for all. */
  checks: string[] | null
  /** States with which `CheckPosted` is sent. null, the default, stands for all. */
  states: ('pending' | 'passed' | 'failed' | 'error' | (string & {}))[] | null
  /** Patterns of groups and arrays, like those of branches. `NewCommit` and `SchemaChanged` are sent only if a commit created, deleted, moved or updated a node with such a path, or wrote its chunks, and also if the changes are unknown. `forecast/**` is the group `forecast` and everything below it. */
  paths: string[]
  /** Only commits that touched a dataset that meets these conditions before or after them: `NewCommit` and `SchemaChanged` are sent if such a dataset, something in it or a group above it was created, deleted, moved or updated, or its chunks were written, and also if that is unknown. null, the default, stands for all commits, and for a webhook or chat of a repository. */
  search: StoredSearch | null
  /** Verdicts with which `SchemaChanged` is sent. Default for a new webhook or chat: `breaking` and `unknown`. */
  compatibility: ChangeVerdict[]
  quiet: {
    /** Hours and minutes in UTC. */
    from: string
    /** Hours and minutes in UTC. */
    to: string
  } | null
  digest: {
    /** Hours and minutes in UTC. */
    at: string
    /** `day`, or `week`: on Mondays. */
    every: 'day' | 'week' | (string & {})
  } | null
  /** Whether notifications are sent to it; otherwise they are held. */
  enabled: boolean
  /** Why it is disabled; null while it is enabled. */
  disabled_reason: string | null
  /** Whether it is declared in the service's configuration file, and can only be changed and deleted there. */
  declared: boolean
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
  /** When it last accepted a notification; null when it never did. */
  last_success_at: string | null
  /** Time of the first failure since the last success; null when there was none. */
  failing_since: string | null
  /** Status of the answer to the last failed attempt since then; null when there was none. */
  last_status: number | null
  /** Why that attempt failed; null when there was none. */
  last_error: string | null
  /** Number of deliveries waiting until it is enabled again, for at most 90 days. */
  held: number
  /** Origin of the URL, followed by `/...`. The path is a secret and is never shown. */
  url: string
  /** The chat service, which decides the format of the message, and which answers mean that it is shown. Default: the service that the host of the URL belongs to; for any other host `slack`, because many servers accept its `{"text": ...}`, with the warning `chat-service-guessed`. Name the service of your own Mattermost or Rocket.Chat server, so that mentions and markup in commit messages are shown as plain text. */
  service:
    | 'slack'
    | 'mattermost'
    | 'discord'
    | 'teams'
    | 'googlechat'
    | 'rocketchat'
    | 'dingtalk'
    | 'feishu'
    | 'wecom'
    | (string & {})
}

/** A webhook or chat, without its secrets. */
export type Receiver = Webhook | Chat

/** Webhooks and chats. */
export type ReceiverList = {
  /** Oldest first. */
  items: Receiver[]
}

/** What happened. `NewCommit`: The head of a branch moved. `SchemaChanged`: A head move changed what readers of datasets see. `BranchCreated`: A branch was created. `BranchDeleted`: A branch was deleted. `TagCreated`: A tag was created. `TagDeleted`: A tag was deleted. `ExpectationUnmet`: A branch no longer meets an expectation. `ExpectationMet`: A branch meets an expectation again, or the expectation is gone or starts over. `CheckPosted`: A check of a snapshot has another state, or is new. `GoodMoved`: Another head of a branch is the last good one, or none is any more. `NotePosted`: An administrator posted a note. `SnapshotRetracted`: An administrator retracted snapshots or datasets. Notices about Floe itself, only for receivers of an organisation: `ReceiverDisabled`: Floe disabled another webhook or chat. `ReceiverFailing`: Another webhook or chat failed the first three attempts of a delivery. `RepositoryUnreadable`: The head of a repository could not be read for at least a minute. `RepositoryBack`: A repository that could not be read can be read again. */
export type EventName =
  | 'NewCommit'
  | 'SchemaChanged'
  | 'BranchCreated'
  | 'BranchDeleted'
  | 'TagCreated'
  | 'TagDeleted'
  | 'ExpectationUnmet'
  | 'ExpectationMet'
  | 'CheckPosted'
  | 'GoodMoved'
  | 'NotePosted'
  | 'SnapshotRetracted'
  | 'ReceiverDisabled'
  | 'ReceiverFailing'
  | 'RepositoryUnreadable'
  | 'RepositoryBack'

/** Conditions that a dataset must meet, as in `/search`; all of them must hold. */
export type StoredSearchCreation = {
  /** Words that must all occur. */
  q?: string | undefined
  /** Names of a variable; one of the values is enough. */
  variable?: string[] | undefined
  /** Attribute `standard_name` of a variable; one of the values is enough. */
  standard_name?: string[] | undefined
  /** Attribute `units` of a variable, in any spelling of the same unit; one of the values is enough. */
  units?: string[] | undefined
  /** Names of a dimension; one of the values is enough. */
  dimension?: string[] | undefined
  /** Decoded dtype of a variable; one of the values is enough. */
  dtype?: string[] | undefined
  /** Attribute `institution` of the dataset; one of the values is enough. */
  institution?: string[] | undefined
  /** Keywords of the dataset; one of the values is enough. */
  keyword?: string[] | undefined
  /** Licences of the dataset; `no licence stated` for those that state none; one of the values is enough. */
  licence?: string[] | undefined
  /** Kinds of datasets; one of the values is enough. */
  kind?: string[] | undefined
  /** Attributes of the dataset, as `name=value`; one of the values is enough. */
  attribute?: string[] | undefined
  /** `west,south,east,north` in degrees, which overlaps the box that the dataset states. */
  bbox?: string | undefined
  /** `start/end`, which overlaps the time that the dataset states. */
  time?: string | undefined
}

/** Up to 10 headers that requests carry besides those of Floe, such as `{ "Authorization": "Bearer ..." }`, for a gateway in front of the receiver. The values are never shown again. */
export type OwnHeaders = Record<string, string>

/** A webhook to add, which receives the JSON notification. */
export type WebhookCreation = {
  /** Whether it is a webhook or a chat. */
  kind: 'webhook'
  /** Where notifications are sent. It begins with `https`; a service in development may also allow `http` to its own machine. It must not contain credentials. */
  url: string
  /** Name for people; unique among the webhooks and chats of the repository or organisation. */
  alias: string
  /** Events that are sent. Only webhooks and chats of an organisation get `ReceiverDisabled`, `ReceiverFailing`, `RepositoryUnreadable`, `RepositoryBack`. */
  events: EventName[]
  /** Patterns of repositories whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Repositories that are added later are included. Default for a new webhook or chat: `["**"]`, all. Only for a webhook or chat of an organisation. */
  repos?: string[] | undefined
  /** Patterns of branches whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Events of tags are sent whatever the branch. Floe starts watching a branch when a receiver or a stream selects it; earlier changes are not sent. */
  branches?: string[] | undefined
  /** Kinds of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all, also for those that come later. */
  kinds?: ('freshness' | 'written' | 'contract' | 'protected' | 'good')[] | null | undefined
  /** Least severity of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all. */
  severity?: 'info' | 'warning' | 'critical' | null | undefined
  /** Names of checks whose `CheckPosted` is sent. null, the default, stands for all. */
  checks?: string[] | null | undefined
  /** States with which `CheckPosted` is sent. null, the default, stands for all. */
  states?: ('pending' | 'passed' | 'failed' | 'error')[] | null | undefined
  /** Patterns of groups and arrays, like those of branches. `NewCommit` and `SchemaChanged` are sent only if a commit created, deleted, moved or updated a node with such a path, or wrote its chunks, and also if the changes are unknown. `forecast/**` is the group `forecast` and everything below it. */
  paths?: string[] | undefined
  /** Only commits that touched a dataset that meets these conditions before or after them: `NewCommit` and `SchemaChanged` are sent if such a dataset, something in it or a group above it was created, deleted, moved or updated, or its chunks were written, and also if that is unknown. null, the default, stands for all commits. Only for a webhook or chat of an organisation. */
  search?: StoredSearchCreation | null | undefined
  /** Verdicts with which `SchemaChanged` is sent. Default for a new webhook or chat: `breaking` and `unknown`. */
  compatibility?: ('breaking' | 'unknown' | 'compatible')[] | undefined
  /** Whether `details.changes` of `NewCommit` says what changed. Default for a new webhook: false. */
  include_changes?: boolean | undefined
  /** How requests are written, always signed. `standard`: the notification alone. `cloudevents-binary`: with the attributes of CloudEvents 1.0 in `ce-*` headers. `cloudevents-structured`: as the `data` of a CloudEvent, `application/cloudevents+json`. Default `standard`. */
  format?: 'standard' | 'cloudevents-binary' | 'cloudevents-structured' | undefined
  /** Sent as `X-Secret-Token`, for receivers that cannot check signatures; never shown again. null for none. A change of the scheme, host, port or path in `url` removes it, unless it is sent again. */
  secret_token?: string | null | undefined
  /** All headers that the webhook adds to its requests, for a gateway in front of the receiver. `{}` for none. A change of the scheme, host, port or path in `url` removes them, unless they are sent again. */
  headers?: OwnHeaders | undefined
  /** Signs requests: `whsec_` and the base64 of 24 to 64 random bytes. Default: the service generates one. */
  signing_secret?: string | undefined
  /** Default true. */
  enabled?: boolean | undefined
}

/** A chat to add, which receives one line of text for each event, or several lines in one message. */
export type ChatCreation = {
  /** Whether it is a webhook or a chat. */
  kind: 'chat'
  /** Where notifications are sent. It begins with `https`; a service in development may also allow `http` to its own machine. It must not contain credentials. */
  url: string
  /** Name for people; unique among the webhooks and chats of the repository or organisation. */
  alias: string
  /** Events that are sent. Only webhooks and chats of an organisation get `ReceiverDisabled`, `ReceiverFailing`, `RepositoryUnreadable`, `RepositoryBack`. */
  events: EventName[]
  /** Patterns of repositories whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Repositories that are added later are included. Default for a new webhook or chat: `["**"]`, all. Only for a webhook or chat of an organisation. */
  repos?: string[] | undefined
  /** Patterns of branches whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Events of tags are sent whatever the branch. Floe starts watching a branch when a receiver or a stream selects it; earlier changes are not sent. */
  branches?: string[] | undefined
  /** Kinds of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all, also for those that come later. */
  kinds?: ('freshness' | 'written' | 'contract' | 'protected' | 'good')[] | null | undefined
  /** Least severity of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all. */
  severity?: 'info' | 'warning' | 'critical' | null | undefined
  /** Names of checks whose `CheckPosted` is sent. null, the default, stands for all. */
  checks?: string[] | null | undefined
  /** States with which `CheckPosted` is sent. null, the default, stands for all. */
  states?: ('pending' | 'passed' | 'failed' | 'error')[] | null | undefined
  /** Patterns of groups and arrays, like those of branches. `NewCommit` and `SchemaChanged` are sent only if a commit created, deleted, moved or updated a node with such a path, or wrote its chunks, and also if the changes are unknown. `forecast/**` is the group `forecast` and everything below it. */
  paths?: string[] | undefined
  /** Only commits that touched a dataset that meets these conditions before or after them: `NewCommit` and `SchemaChanged` are sent if such a dataset, something in it or a group above it was created, deleted, moved or updated, or its chunks were written, and also if that is unknown. null, the default, stands for all commits. Only for a webhook or chat of an organisation. */
  search?: StoredSearchCreation | null | undefined
  /** Verdicts with which `SchemaChanged` is sent. Default for a new webhook or chat: `breaking` and `unknown`. */
  compatibility?: ('breaking' | 'unknown' | 'compatible')[] | undefined
  quiet?:
    | {
        /** Hours and minutes in UTC. */
        from: string
        /** Hours and minutes in UTC. */
        to: string
      }
    | null
    | undefined
  digest?:
    | {
        /** Hours and minutes in UTC. */
        at: string
        /** `day`, or `week`: on Mondays. */
        every: 'day' | 'week'
      }
    | null
    | undefined
  /** The chat service, which decides the format of the message, and which answers mean that it is shown. Default: the service that the host of the URL belongs to; for any other host `slack`, because many servers accept its `{"text": ...}`, with the warning `chat-service-guessed`. Name the service of your own Mattermost or Rocket.Chat server, so that mentions and markup in commit messages are shown as plain text. */
  service?:
    | 'slack'
    | 'mattermost'
    | 'discord'
    | 'teams'
    | 'googlechat'
    | 'rocketchat'
    | 'dingtalk'
    | 'feishu'
    | 'wecom'
    | undefined
  /** Default true. */
  enabled?: boolean | undefined
}

/** A webhook or chat to add. `kind` decides which other members it has. */
export type ReceiverCreation = WebhookCreation | ChatCreation

/** A reason to check what was saved or tested. */
export type Warning = {
  /** `host-not-found`: the host of the URL has no address at present. `secret-token-dropped`, `headers-dropped`: the URL has changed, so the token or the headers were removed. `chat-service-guessed`: the request names no chat service, and no known one has this host. */
  code: 'host-not-found' | 'secret-token-dropped' | 'headers-dropped' | 'chat-service-guessed' | (string & {})
  /** The warning in words. */
  detail: string
}

/** A new webhook, with its signing secret. */
export type CreatedWebhook = {
  /** Id of the webhook or chat. */
  id: string
  /** Whether it is a webhook or a chat. */
  kind: 'webhook'
  /** Name for people; unique among the webhooks and chats of the repository or organisation. */
  alias: string
  /** Events that are sent. */
  events: (
    | 'NewCommit'
    | 'SchemaChanged'
    | 'BranchCreated'
    | 'BranchDeleted'
    | 'TagCreated'
    | 'TagDeleted'
    | 'ExpectationUnmet'
    | 'ExpectationMet'
    | 'CheckPosted'
    | 'GoodMoved'
    | 'NotePosted'
    | 'SnapshotRetracted'
    | 'ReceiverDisabled'
    | 'ReceiverFailing'
    | 'RepositoryUnreadable'
    | 'RepositoryBack'
    | (string & {})
  )[]
  /** Patterns of repositories whose events are sent; null for a webhook or chat of a repository. */
  repos: string[] | null
  /** Patterns of branches whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Events of tags are sent whatever the branch. Floe starts watching a branch when a receiver or a stream selects it; earlier changes are not sent. */
  branches: string[]
  /** Kinds of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all, also for those that come later. */
  kinds: ('freshness' | 'written' | 'contract' | 'protected' | 'good' | (string & {}))[] | null
  /** Least severity of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all. */
  severity: 'info' | 'warning' | 'critical' | (string & {}) | null
  /** Names of checks whose `CheckPosted` is sent. null, the default, stands for all. */
  checks: string[] | null
  /** States with which `CheckPosted` is sent. null, the default, stands for all. */
  states: ('pending' | 'passed' | 'failed' | 'error' | (string & {}))[] | null
  /** Patterns of groups and arrays, like those of branches. `NewCommit` and `SchemaChanged` are sent only if a commit created, deleted, moved or updated a node with such a path, or wrote its chunks, and also if the changes are unknown. `forecast/**` is the group `forecast` and everything below it. */
  paths: string[]
  /** Only commits that touched a dataset that meets these conditions before or after them: `NewCommit` and `SchemaChanged` are sent if such a dataset, something in it or a group above it was created, deleted, moved or updated, or its chunks were written, and also if that is unknown. null, the default, stands for all commits, and for a webhook or chat of a repository. */
  search: StoredSearch | null
  /** Verdicts with which `SchemaChanged` is sent. Default for a new webhook or chat: `breaking` and `unknown`. */
  compatibility: ChangeVerdict[]
  /** Whether `details.changes` of `NewCommit` says what changed. Default for a new webhook: false. */
  include_changes: boolean
  /** How requests are written, always signed. `standard`: the notification alone. `cloudevents-binary`: with the attributes of CloudEvents 1.0 in `ce-*` headers. `cloudevents-structured`: as the `data` of a CloudEvent, `application/cloudevents+json`. Default `standard`. */
  format: 'standard' | 'cloudevents-binary' | 'cloudevents-structured' | (string & {})
  /** Whether notifications are sent to it; otherwise they are held. */
  enabled: boolean
  /** Why it is disabled; null while it is enabled. */
  disabled_reason: string | null
  /** Whether it is declared in the service's configuration file, and can only be changed and deleted there. */
  declared: boolean
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
  /** When it last accepted a notification; null when it never did. */
  last_success_at: string | null
  /** Time of the first failure since the last success; null when there was none. */
  failing_since: string | null
  /** Status of the answer to the last failed attempt since then; null when there was none. */
  last_status: number | null
  /** Why that attempt failed; null when there was none. */
  last_error: string | null
  /** Number of deliveries waiting until it is enabled again, for at most 90 days. */
  held: number
  /** Where notifications are sent. */
  url: string
  /** Whether requests carry `X-Secret-Token`, which is never shown. */
  has_secret_token: boolean
  /** Names of the headers that the webhook adds to its requests; their values are never shown. */
  header_names: string[]
  /** Reasons to check what was saved; empty when there are none. */
  warnings: Warning[]
  /** Signs requests (https://www.standardwebhooks.com): `whsec_` and base64. Shown only in this answer. */
  signing_secret: string
}

/** A chat as it was saved, with warnings. */
export type ChangedChat = {
  /** Id of the webhook or chat. */
  id: string
  /** Whether it is a webhook or a chat. */
  kind: 'chat'
  /** Name for people; unique among the webhooks and chats of the repository or organisation. */
  alias: string
  /** Events that are sent. */
  events: (
    | 'NewCommit'
    | 'SchemaChanged'
    | 'BranchCreated'
    | 'BranchDeleted'
    | 'TagCreated'
    | 'TagDeleted'
    | 'ExpectationUnmet'
    | 'ExpectationMet'
    | 'CheckPosted'
    | 'GoodMoved'
    | 'NotePosted'
    | 'SnapshotRetracted'
    | 'ReceiverDisabled'
    | 'ReceiverFailing'
    | 'RepositoryUnreadable'
    | 'RepositoryBack'
    | (string & {})
  )[]
  /** Patterns of repositories whose events are sent; null for a webhook or chat of a repository. */
  repos: string[] | null
  /** Patterns of branches whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Events of tags are sent whatever the branch. Floe starts watching a branch when a receiver or a stream selects it; earlier changes are not sent. */
  branches: string[]
  /** Kinds of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all, also for those that come later. */
  kinds: ('freshness' | 'written' | 'contract' | 'protected' | 'good' | (string & {}))[] | null
  /** Least severity of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all. */
  severity: 'info' | 'warning' | 'critical' | (string & {}) | null
  /** Names of checks whose `CheckPosted` is sent. null, the default, stands for all. */
  checks: string[] | null
  /** States with which `CheckPosted` is sent. null, the default, stands for all. */
  states: ('pending' | 'passed' | 'failed' | 'error' | (string & {}))[] | null
  /** Patterns of groups and arrays, like those of branches. `NewCommit` and `SchemaChanged` are sent only if a commit created, deleted, moved or updated a node with such a path, or wrote its chunks, and also if the changes are unknown. `forecast/**` is the group `forecast` and everything below it. */
  paths: string[]
  /** Only commits that touched a dataset that meets these conditions before or after them: `NewCommit` and `SchemaChanged` are sent if such a dataset, something in it or a group above it was created, deleted, moved or updated, or its chunks were written, and also if that is unknown. null, the default, stands for all commits, and for a webhook or chat of a repository. */
  search: StoredSearch | null
  /** Verdicts with which `SchemaChanged` is sent. Default for a new webhook or chat: `breaking` and `unknown`. */
  compatibility: ChangeVerdict[]
  quiet: {
    /** Hours and minutes in UTC. */
    from: string
    /** Hours and minutes in UTC. */
    to: string
  } | null
  digest: {
    /** Hours and minutes in UTC. */
    at: string
    /** `day`, or `week`: on Mondays. */
    every: 'day' | 'week' | (string & {})
  } | null
  /** Whether notifications are sent to it; otherwise they are held. */
  enabled: boolean
  /** Why it is disabled; null while it is enabled. */
  disabled_reason: string | null
  /** Whether it is declared in the service's configuration file, and can only be changed and deleted there. */
  declared: boolean
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
  /** When it last accepted a notification; null when it never did. */
  last_success_at: string | null
  /** Time of the first failure since the last success; null when there was none. */
  failing_since: string | null
  /** Status of the answer to the last failed attempt since then; null when there was none. */
  last_status: number | null
  /** Why that attempt failed; null when there was none. */
  last_error: string | null
  /** Number of deliveries waiting until it is enabled again, for at most 90 days. */
  held: number
  /** Origin of the URL, followed by `/...`. The path is a secret and is never shown. */
  url: string
  /** The chat service, which decides the format of the message, and which answers mean that it is shown. Default: the service that the host of the URL belongs to; for any other host `slack`, because many servers accept its `{"text": ...}`, with the warning `chat-service-guessed`. Name the service of your own Mattermost or Rocket.Chat server, so that mentions and markup in commit messages are shown as plain text. */
  service:
    | 'slack'
    | 'mattermost'
    | 'discord'
    | 'teams'
    | 'googlechat'
    | 'rocketchat'
    | 'dingtalk'
    | 'feishu'
    | 'wecom'
    | (string & {})
  /** Reasons to check what was saved; empty when there are none. */
  warnings: Warning[]
}

/** A new webhook, with its signing secret, or chat. */
export type CreatedReceiver = CreatedWebhook | ChangedChat

/** A saved webhook to test, perhaps with changes that are not saved. */
export type SavedWebhookToTest = {
  /** Whether it is a webhook or a chat. */
  kind: 'webhook'
  /** Id of the webhook or chat. */
  id: string
  /** Where notifications are sent. It begins with `https`; a service in development may also allow `http` to its own machine. It must not contain credentials. */
  url?: string | undefined
  /** How requests are written, always signed. `standard`: the notification alone. `cloudevents-binary`: with the attributes of CloudEvents 1.0 in `ce-*` headers. `cloudevents-structured`: as the `data` of a CloudEvent, `application/cloudevents+json`. Default `standard`. */
  format?: 'standard' | 'cloudevents-binary' | 'cloudevents-structured' | undefined
  /** Sent as `X-Secret-Token`, for receivers that cannot check signatures; never shown again. null for none. A change of the scheme, host, port or path in `url` removes it, unless it is sent again. */
  secret_token?: string | null | undefined
  /** All headers that the webhook adds to its requests, for a gateway in front of the receiver. `{}` for none. A change of the scheme, host, port or path in `url` removes them, unless they are sent again. */
  headers?: OwnHeaders | undefined
}

/** A saved chat to test, perhaps with changes that are not saved. */
export type SavedChatToTest = {
  /** Whether it is a webhook or a chat. */
  kind: 'chat'
  /** Id of the webhook or chat. */
  id: string
  /** Where notifications are sent. It begins with `https`; a service in development may also allow `http` to its own machine. It must not contain credentials. */
  url?: string | undefined
  /** The chat service, which decides the format of the message, and which answers mean that it is shown. Default: the service that the host of the URL belongs to; for any other host `slack`, because many servers accept its `{"text": ...}`, with the warning `chat-service-guessed`. Name the service of your own Mattermost or Rocket.Chat server, so that mentions and markup in commit messages are shown as plain text. */
  service?:
    | 'slack'
    | 'mattermost'
    | 'discord'
    | 'teams'
    | 'googlechat'
    | 'rocketchat'
    | 'dingtalk'
    | 'feishu'
    | 'wecom'
    | undefined
}

/** A webhook to test that is not saved yet. */
export type UnsavedWebhookToTest = {
  /** Whether it is a webhook or a chat. */
  kind: 'webhook'
  /** Where notifications are sent. It begins with `https`; a service in development may also allow `http` to its own machine. It must not contain credentials. */
  url: string
  /** Name for people; unique among the webhooks and chats of the repository or organisation. */
  alias?: string | undefined
  /** Events that are sent. Only webhooks and chats of an organisation get `ReceiverDisabled`, `ReceiverFailing`, `RepositoryUnreadable`, `RepositoryBack`. */
  events?: EventName[] | undefined
  /** Patterns of repositories whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Repositories that are added later are included. Default for a new webhook or chat: `["**"]`, all. Only for a webhook or chat of an organisation. */
  repos?: string[] | undefined
  /** Patterns of branches whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Events of tags are sent whatever the branch. Floe starts watching a branch when a receiver or a stream selects it; earlier changes are not sent. */
  branches?: string[] | undefined
  /** Kinds of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all, also for those that come later. */
  kinds?: ('freshness' | 'written' | 'contract' | 'protected' | 'good')[] | null | undefined
  /** Least severity of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all. */
  severity?: 'info' | 'warning' | 'critical' | null | undefined
  /** Names of checks whose `CheckPosted` is sent. null, the default, stands for all. */
  checks?: string[] | null | undefined
  /** States with which `CheckPosted` is sent. null, the default, stands for all. */
  states?: ('pending' | 'passed' | 'failed' | 'error')[] | null | undefined
  /** Patterns of groups and arrays, like those of branches. `NewCommit` and `SchemaChanged` are sent only if a commit created, deleted, moved or updated a node with such a path, or wrote its chunks, and also if the changes are unknown. `forecast/**` is the group `forecast` and everything below it. */
  paths?: string[] | undefined
  /** Only commits that touched a dataset that meets these conditions before or after them: `NewCommit` and `SchemaChanged` are sent if such a dataset, something in it or a group above it was created, deleted, moved or updated, or its chunks were written, and also if that is unknown. null, the default, stands for all commits. Only for a webhook or chat of an organisation. */
  search?: StoredSearchCreation | null | undefined
  /** Verdicts with which `SchemaChanged` is sent. Default for a new webhook or chat: `breaking` and `unknown`. */
  compatibility?: ('breaking' | 'unknown' | 'compatible')[] | undefined
  /** Whether `details.changes` of `NewCommit` says what changed. Default for a new webhook: false. */
  include_changes?: boolean | undefined
  /** How requests are written, always signed. `standard`: the notification alone. `cloudevents-binary`: with the attributes of CloudEvents 1.0 in `ce-*` headers. `cloudevents-structured`: as the `data` of a CloudEvent, `application/cloudevents+json`. Default `standard`. */
  format?: 'standard' | 'cloudevents-binary' | 'cloudevents-structured' | undefined
  /** Sent as `X-Secret-Token`, for receivers that cannot check signatures; never shown again. null for none. A change of the scheme, host, port or path in `url` removes it, unless it is sent again. */
  secret_token?: string | null | undefined
  /** All headers that the webhook adds to its requests, for a gateway in front of the receiver. `{}` for none. A change of the scheme, host, port or path in `url` removes them, unless they are sent again. */
  headers?: OwnHeaders | undefined
  /** Signs requests: `whsec_` and the base64 of 24 to 64 random bytes. Default: the service generates one. */
  signing_secret?: string | undefined
  /** Ignored. */
  enabled?: boolean | undefined
}

/** A chat to test that is not saved yet. */
export type UnsavedChatToTest = {
  /** Whether it is a webhook or a chat. */
  kind: 'chat'
  /** Where notifications are sent. It begins with `https`; a service in development may also allow `http` to its own machine. It must not contain credentials. */
  url: string
  /** Name for people; unique among the webhooks and chats of the repository or organisation. */
  alias?: string | undefined
  /** Events that are sent. Only webhooks and chats of an organisation get `ReceiverDisabled`, `ReceiverFailing`, `RepositoryUnreadable`, `RepositoryBack`. */
  events?: EventName[] | undefined
  /** Patterns of repositories whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Repositories that are added later are included. Default for a new webhook or chat: `["**"]`, all. Only for a webhook or chat of an organisation. */
  repos?: string[] | undefined
  /** Patterns of branches whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Events of tags are sent whatever the branch. Floe starts watching a branch when a receiver or a stream selects it; earlier changes are not sent. */
  branches?: string[] | undefined
  /** Kinds of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all, also for those that come later. */
  kinds?: ('freshness' | 'written' | 'contract' | 'protected' | 'good')[] | null | undefined
  /** Least severity of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all. */
  severity?: 'info' | 'warning' | 'critical' | null | undefined
  /** Names of checks whose `CheckPosted` is sent. null, the default, stands for all. */
  checks?: string[] | null | undefined
  /** States with which `CheckPosted` is sent. null, the default, stands for all. */
  states?: ('pending' | 'passed' | 'failed' | 'error')[] | null | undefined
  /** Patterns of groups and arrays, like those of branches. `NewCommit` and `SchemaChanged` are sent only if a commit created, deleted, moved or updated a node with such a path, or wrote its chunks, and also if the changes are unknown. `forecast/**` is the group `forecast` and everything below it. */
  paths?: string[] | undefined
  /** Only commits that touched a dataset that meets these conditions before or after them: `NewCommit` and `SchemaChanged` are sent if such a dataset, something in it or a group above it was created, deleted, moved or updated, or its chunks were written, and also if that is unknown. null, the default, stands for all commits. Only for a webhook or chat of an organisation. */
  search?: StoredSearchCreation | null | undefined
  /** Verdicts with which `SchemaChanged` is sent. Default for a new webhook or chat: `breaking` and `unknown`. */
  compatibility?: ('breaking' | 'unknown' | 'compatible')[] | undefined
  quiet?:
    | {
        /** Hours and minutes in UTC. */
        from: string
        /** Hours and minutes in UTC. */
        to: string
      }
    | null
    | undefined
  digest?:
    | {
        /** Hours and minutes in UTC. */
        at: string
        /** `day`, or `week`: on Mondays. */
        every: 'day' | 'week'
      }
    | null
    | undefined
  /** The chat service, which decides the format of the message, and which answers mean that it is shown. Default: the service that the host of the URL belongs to; for any other host `slack`, because many servers accept its `{"text": ...}`, with the warning `chat-service-guessed`. Name the service of your own Mattermost or Rocket.Chat server, so that mentions and markup in commit messages are shown as plain text. */
  service?:
    | 'slack'
    | 'mattermost'
    | 'discord'
    | 'teams'
    | 'googlechat'
    | 'rocketchat'
    | 'dingtalk'
    | 'feishu'
    | 'wecom'
    | undefined
  /** Ignored. */
  enabled?: boolean | undefined
}

/** The webhook or chat to test: a saved one by its id, perhaps with changes that are not saved, or one that is not saved yet. The test of an unsaved webhook is signed with `signing_secret`, so that its receiver can verify it. The line that a chat gets begins with `Test: `. */
export type ReceiverToTest = SavedWebhookToTest | SavedChatToTest | UnsavedWebhookToTest | UnsavedChatToTest

/** The result of a test of a webhook or chat. */
export type TestResult = {
  /** Whether the receiver answered 2xx and, if it is a chat, its answer does not say that it failed. */
  ok: boolean
  /** Status of the answer; null when there was none. */
  status: number | null
  /** Time from the request to the end of the answer, in milliseconds. */
  duration_ms: number
  /** Why the test failed; null when it succeeded. */
  error: string | null
  /** Start of the body of the answer. */
  response_excerpt: string | null
  /** The request that was sent. A message broker gets it as a message. */
  request: {
    /** As they were sent, with secrets masked. */
    headers: Record<string, string>
    /** As it was sent. */
    body: string
  }
  /** Reasons to check the URL and the chat service; empty when there are none. */
  warnings: Warning[]
}

/** The members of a webhook to change; those that are left out stay as they are. */
export type WebhookChange = {
  /** Whether it is a webhook or a chat. */
  kind: 'webhook'
  /** Where notifications are sent. It begins with `https`; a service in development may also allow `http` to its own machine. It must not contain credentials. */
  url?: string | undefined
  /** Name for people; unique among the webhooks and chats of the repository or organisation. */
  alias?: string | undefined
  /** Events that are sent. Only webhooks and chats of an organisation get `ReceiverDisabled`, `ReceiverFailing`, `RepositoryUnreadable`, `RepositoryBack`. */
  events?: EventName[] | undefined
  /** Patterns of repositories whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Repositories that are added later are included. Default for a new webhook or chat: `["**"]`, all. Only for a webhook or chat of an organisation. */
  repos?: string[] | undefined
  /** Patterns of branches whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Events of tags are sent whatever the branch. Floe starts watching a branch when a receiver or a stream selects it; earlier changes are not sent. */
  branches?: string[] | undefined
  /** Kinds of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all, also for those that come later. */
  kinds?: ('freshness' | 'written' | 'contract' | 'protected' | 'good')[] | null | undefined
  /** Least severity of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all. */
  severity?: 'info' | 'warning' | 'critical' | null | undefined
  /** Names of checks whose `CheckPosted` is sent. null, the default, stands for all. */
  checks?: string[] | null | undefined
  /** States with which `CheckPosted` is sent. null, the default, stands for all. */
  states?: ('pending' | 'passed' | 'failed' | 'error')[] | null | undefined
  /** Patterns of groups and arrays, like those of branches. `NewCommit` and `SchemaChanged` are sent only if a commit created, deleted, moved or updated a node with such a path, or wrote its chunks, and also if the changes are unknown. `forecast/**` is the group `forecast` and everything below it. */
  paths?: string[] | undefined
  /** Only commits that touched a dataset that meets these conditions before or after them: `NewCommit` and `SchemaChanged` are sent if such a dataset, something in it or a group above it was created, deleted, moved or updated, or its chunks were written, and also if that is unknown. null, the default, stands for all commits. Only for a webhook or chat of an organisation. */
  search?: StoredSearchCreation | null | undefined
  /** Verdicts with which `SchemaChanged` is sent. Default for a new webhook or chat: `breaking` and `unknown`. */
  compatibility?: ('breaking' | 'unknown' | 'compatible')[] | undefined
  /** Whether `details.changes` of `NewCommit` says what changed. Default for a new webhook: false. */
  include_changes?: boolean | undefined
  /** How requests are written, always signed. `standard`: the notification alone. `cloudevents-binary`: with the attributes of CloudEvents 1.0 in `ce-*` headers. `cloudevents-structured`: as the `data` of a CloudEvent, `application/cloudevents+json`. Default `standard`. */
  format?: 'standard' | 'cloudevents-binary' | 'cloudevents-structured' | undefined
  /** Sent as `X-Secret-Token`, for receivers that cannot check signatures; never shown again. null for none. A change of the scheme, host, port or path in `url` removes it, unless it is sent again. */
  secret_token?: string | null | undefined
  /** All headers that the webhook adds to its requests, for a gateway in front of the receiver. `{}` for none. A change of the scheme, host, port or path in `url` removes them, unless they are sent again. */
  headers?: OwnHeaders | undefined
  /** false: hold deliveries; true: send the held ones as `resume` says. */
  enabled?: boolean | undefined
  /** Only with `enabled: true`: which of the held deliveries are sent, oldest first; the others are discarded. Held deliveries are those that were pending when it was disabled, and those of events since then. `latest` sends the last of each branch, tag, expectation, check and remark, the last `SchemaChanged` of each branch, and the last notice of each repository. Default `latest`. */
  resume?: 'latest' | 'all' | 'none' | undefined
}

/** The members of a chat to change; those that are left out stay as they are. */
export type ChatChange = {
  /** Whether it is a webhook or a chat. */
  kind: 'chat'
  /** Where notifications are sent. It begins with `https`; a service in development may also allow `http` to its own machine. It must not contain credentials. */
  url?: string | undefined
  /** Name for people; unique among the webhooks and chats of the repository or organisation. */
  alias?: string | undefined
  /** Events that are sent. Only webhooks and chats of an organisation get `ReceiverDisabled`, `ReceiverFailing`, `RepositoryUnreadable`, `RepositoryBack`. */
  events?: EventName[] | undefined
  /** Patterns of repositories whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Repositories that are added later are included. Default for a new webhook or chat: `["**"]`, all. Only for a webhook or chat of an organisation. */
  repos?: string[] | undefined
  /** Patterns of branches whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Events of tags are sent whatever the branch. Floe starts watching a branch when a receiver or a stream selects it; earlier changes are not sent. */
  branches?: string[] | undefined
  /** Kinds of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all, also for those that come later. */
  kinds?: ('freshness' | 'written' | 'contract' | 'protected' | 'good')[] | null | undefined
  /** Least severity of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all. */
  severity?: 'info' | 'warning' | 'critical' | null | undefined
  /** Names of checks whose `CheckPosted` is sent. null, the default, stands for all. */
  checks?: string[] | null | undefined
  /** States with which `CheckPosted` is sent. null, the default, stands for all. */
  states?: ('pending' | 'passed' | 'failed' | 'error')[] | null | undefined
  /** Patterns of groups and arrays, like those of branches. `NewCommit` and `SchemaChanged` are sent only if a commit created, deleted, moved or updated a node with such a path, or wrote its chunks, and also if the changes are unknown. `forecast/**` is the group `forecast` and everything below it. */
  paths?: string[] | undefined
  /** Only commits that touched a dataset that meets these conditions before or after them: `NewCommit` and `SchemaChanged` are sent if such a dataset, something in it or a group above it was created, deleted, moved or updated, or its chunks were written, and also if that is unknown. null, the default, stands for all commits. Only for a webhook or chat of an organisation. */
  search?: StoredSearchCreation | null | undefined
  /** Verdicts with which `SchemaChanged` is sent. Default for a new webhook or chat: `breaking` and `unknown`. */
  compatibility?: ('breaking' | 'unknown' | 'compatible')[] | undefined
  quiet?:
    | {
        /** Hours and minutes in UTC. */
        from: string
        /** Hours and minutes in UTC. */
        to: string
      }
    | null
    | undefined
  digest?:
    | {
        /** Hours and minutes in UTC. */
        at: string
        /** `day`, or `week`: on Mondays. */
        every: 'day' | 'week'
      }
    | null
    | undefined
  /** The chat service, which decides the format of the message, and which answers mean that it is shown. Default: the service that the host of the URL belongs to; for any other host `slack`, because many servers accept its `{"text": ...}`, with the warning `chat-service-guessed`. Name the service of your own Mattermost or Rocket.Chat server, so that mentions and markup in commit messages are shown as plain text. */
  service?:
    | 'slack'
    | 'mattermost'
    | 'discord'
    | 'teams'
    | 'googlechat'
    | 'rocketchat'
    | 'dingtalk'
    | 'feishu'
    | 'wecom'
    | undefined
  /** false: hold deliveries; true: send the held ones as `resume` says. */
  enabled?: boolean | undefined
  /** Only with `enabled: true`: which of the held deliveries are sent, oldest first; the others are discarded. Held deliveries are those that were pending when it was disabled, and those of events since then. `latest` sends the last of each branch, tag, expectation, check and remark, the last `SchemaChanged` of each branch, and the last notice of each repository. Default `latest`. */
  resume?: 'latest' | 'all' | 'none' | undefined
}

/** The members to change, and the kind of the receiver, which stays the same. */
export type ReceiverChange = WebhookChange | ChatChange

/** A webhook as it was saved, with warnings. */
export type ChangedWebhook = {
  /** Id of the webhook or chat. */
  id: string
  /** Whether it is a webhook or a chat. */
  kind: 'webhook'
  /** Name for people; unique among the webhooks and chats of the repository or organisation. */
  alias: string
  /** Events that are sent. */
  events: (
    | 'NewCommit'
    | 'SchemaChanged'
    | 'BranchCreated'
    | 'BranchDeleted'
    | 'TagCreated'
    | 'TagDeleted'
    | 'ExpectationUnmet'
    | 'ExpectationMet'
    | 'CheckPosted'
    | 'GoodMoved'
    | 'NotePosted'
    | 'SnapshotRetracted'
    | 'ReceiverDisabled'
    | 'ReceiverFailing'
    | 'RepositoryUnreadable'
    | 'RepositoryBack'
    | (string & {})
  )[]
  /** Patterns of repositories whose events are sent; null for a webhook or chat of a repository. */
  repos: string[] | null
  /** Patterns of branches whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Events of tags are sent whatever the branch. Floe starts watching a branch when a receiver or a stream selects it; earlier changes are not sent. */
  branches: string[]
  /** Kinds of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all, also for those that come later. */
  kinds: ('freshness' | 'written' | 'contract' | 'protected' | 'good' | (string & {}))[] | null
  /** Least severity of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all. */
  severity: 'info' | 'warning' | 'critical' | (string & {}) | null
  /** Names of checks whose `CheckPosted` is sent. null, the default, stands for all. */
  checks: string[] | null
  /** States with which `CheckPosted` is sent. null, the default, stands for all. */
  states: ('pending' | 'passed' | 'failed' | 'error' | (string & {}))[] | null
  /** Patterns of groups and arrays, like those of branches. `NewCommit` and `SchemaChanged` are sent only if a commit created, deleted, moved or updated a node with such a path, or wrote its chunks, and also if the changes are unknown. `forecast/**` is the group `forecast` and everything below it. */
  paths: string[]
  /** Only commits that touched a dataset that meets these conditions before or after them: `NewCommit` and `SchemaChanged` are sent if such a dataset, something in it or a group above it was created, deleted, moved or updated, or its chunks were written, and also if that is unknown. null, the default, stands for all commits, and for a webhook or chat of a repository. */
  search: StoredSearch | null
  /** Verdicts with which `SchemaChanged` is sent. Default for a new webhook or chat: `breaking` and `unknown`. */
  compatibility: ChangeVerdict[]
  /** Whether `details.changes` of `NewCommit` says what changed. Default for a new webhook: false. */
  include_changes: boolean
  /** How requests are written, always signed. `standard`: the notification alone. `cloudevents-binary`: with the attributes of CloudEvents 1.0 in `ce-*` headers. `cloudevents-structured`: as the `data` of a CloudEvent, `application/cloudevents+json`. Default `standard`. */
  format: 'standard' | 'cloudevents-binary' | 'cloudevents-structured' | (string & {})
  /** Whether notifications are sent to it; otherwise they are held. */
  enabled: boolean
  /** Why it is disabled; null while it is enabled. */
  disabled_reason: string | null
  /** Whether it is declared in the service's configuration file, and can only be changed and deleted there. */
  declared: boolean
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
  /** When it last accepted a notification; null when it never did. */
  last_success_at: string | null
  /** Time of the first failure since the last success; null when there was none. */
  failing_since: string | null
  /** Status of the answer to the last failed attempt since then; null when there was none. */
  last_status: number | null
  /** Why that attempt failed; null when there was none. */
  last_error: string | null
  /** Number of deliveries waiting until it is enabled again, for at most 90 days. */
  held: number
  /** Where notifications are sent. */
  url: string
  /** Whether requests carry `X-Secret-Token`, which is never shown. */
  has_secret_token: boolean
  /** Names of the headers that the webhook adds to its requests; their values are never shown. */
  header_names: string[]
  /** Reasons to check what was saved; empty when there are none. */
  warnings: Warning[]
}

/** A webhook or chat as it was saved, with warnings. */
export type ChangedReceiver = ChangedWebhook | ChangedChat

/** A webhook with its new signing secret. */
export type RotatedWebhook = {
  /** Id of the webhook or chat. */
  id: string
  /** Whether it is a webhook or a chat. */
  kind: 'webhook'
  /** Name for people; unique among the webhooks and chats of the repository or organisation. */
  alias: string
  /** Events that are sent. */
  events: (
    | 'NewCommit'
    | 'SchemaChanged'
    | 'BranchCreated'
    | 'BranchDeleted'
    | 'TagCreated'
    | 'TagDeleted'
    | 'ExpectationUnmet'
    | 'ExpectationMet'
    | 'CheckPosted'
    | 'GoodMoved'
    | 'NotePosted'
    | 'SnapshotRetracted'
    | 'ReceiverDisabled'
    | 'ReceiverFailing'
    | 'RepositoryUnreadable'
    | 'RepositoryBack'
    | (string & {})
  )[]
  /** Patterns of repositories whose events are sent; null for a webhook or chat of a repository. */
  repos: string[] | null
  /** Patterns of branches whose events are sent: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Events of tags are sent whatever the branch. Floe starts watching a branch when a receiver or a stream selects it; earlier changes are not sent. */
  branches: string[]
  /** Kinds of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all, also for those that come later. */
  kinds: ('freshness' | 'written' | 'contract' | 'protected' | 'good' | (string & {}))[] | null
  /** Least severity of expectations whose `ExpectationUnmet` and `ExpectationMet` are sent. null, the default, stands for all. */
  severity: 'info' | 'warning' | 'critical' | (string & {}) | null
  /** Names of checks whose `CheckPosted` is sent. null, the default, stands for all. */
  checks: string[] | null
  /** States with which `CheckPosted` is sent. null, the default, stands for all. */
  states: ('pending' | 'passed' | 'failed' | 'error' | (string & {}))[] | null
  /** Patterns of groups and arrays, like those of branches. `NewCommit` and `SchemaChanged` are sent only if a commit created, deleted, moved or updated a node with such a path, or wrote its chunks, and also if the changes are unknown. `forecast/**` is the group `forecast` and everything below it. */
  paths: string[]
  /** Only commits that touched a dataset that meets these conditions before or after them: `NewCommit` and `SchemaChanged` are sent if such a dataset, something in it or a group above it was created, deleted, moved or updated, or its chunks were written, and also if that is unknown. null, the default, stands for all commits, and for a webhook or chat of a repository. */
  search: StoredSearch | null
  /** Verdicts with which `SchemaChanged` is sent. Default for a new webhook or chat: `breaking` and `unknown`. */
  compatibility: ChangeVerdict[]
  /** Whether `details.changes` of `NewCommit` says what changed. Default for a new webhook: false. */
  include_changes: boolean
  /** How requests are written, always signed. `standard`: the notification alone. `cloudevents-binary`: with the attributes of CloudEvents 1.0 in `ce-*` headers. `cloudevents-structured`: as the `data` of a CloudEvent, `application/cloudevents+json`. Default `standard`. */
  format: 'standard' | 'cloudevents-binary' | 'cloudevents-structured' | (string & {})
  /** Whether notifications are sent to it; otherwise they are held. */
  enabled: boolean
  /** Why it is disabled; null while it is enabled. */
  disabled_reason: string | null
  /** Whether it is declared in the service's configuration file, and can only be changed and deleted there. */
  declared: boolean
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
  /** When it last accepted a notification; null when it never did. */
  last_success_at: string | null
  /** Time of the first failure since the last success; null when there was none. */
  failing_since: string | null
  /** Status of the answer to the last failed attempt since then; null when there was none. */
  last_status: number | null
  /** Why that attempt failed; null when there was none. */
  last_error: string | null
  /** Number of deliveries waiting until it is enabled again, for at most 90 days. */
  held: number
  /** Where notifications are sent. */
  url: string
  /** Whether requests carry `X-Secret-Token`, which is never shown. */
  has_secret_token: boolean
  /** Names of the headers that the webhook adds to its requests; their values are never shown. */
  header_names: string[]
  /** The new secret, shown only in this answer. Requests are signed with the previous one too for 24 h. */
  signing_secret: string
}

/** Which deliveries of a webhook are sent again. */
export type ReplaySelection = {
  /** Selects events that were recorded at this time or later. */
  since: string
  /** Selects events that were recorded before this time. Default: now. */
  until?: string | undefined
  /** Whether to send also what the webhook has accepted. Default false: only deliveries that are `dead` or `discarded`. Receivers that ignore each `webhook-id` that they know ignore what they have accepted, unless `as_new` is true. */
  all?: boolean | undefined
  /** Whether to send copies, each with a new `webhook-id` and with the former one as `webhook-replay-of`, so that the webhook handles again what it has accepted. Default false: the same `webhook-id`. */
  as_new?: boolean | undefined
}

/** A replay that was started. */
export type StartedReplay = {
  /** Deliveries that wait to be sent again, of all replays of the webhook. */
  waiting: number
  /** When the event that is sent next was recorded; null when none waits. */
  next_event_at: string | null
  /** Deliveries that this replay added; those that waited already are not counted. */
  queued: number
  /** What to select instead, if nothing was queued; else null. */
  hint: string | null
}

/** What waits to be sent again to a webhook. */
export type Replay = {
  /** Deliveries that wait to be sent again, of all replays of the webhook. */
  waiting: number
  /** When the event that is sent next was recorded; null when none waits. */
  next_event_at: string | null
}

/** Whether a branch meets an expectation. */
export type FreshnessBranchState = {
  /** Name of the repository. */
  repo: string
  /** Name of the branch. */
  branch: string
  /** Whether the last head that could be judged meets it. `unknown` before there is one, and where nothing matches. */
  state: 'met' | 'unmet' | 'unknown' | (string & {})
  /** Since when it is unmet; null while it is not. */
  since: string | null
  /** The last head that was judged; null before the first, and after a change of the expectation until the next. */
  snapshot_id: SnapshotId | null
  /** When the branch becomes unmet unless something changes before; null if that does not depend on time alone. */
  due_at: string | null
  /** Why it is unknown, why the last head could not be judged (the rest is about an earlier one then), or what else the facts do not say. Null otherwise. */
  reason: string | null
  /** Null before the first judgement. */
  facts: FreshnessFacts | null
  /** What is known about the branch, in words. */
  summary: string
}

/** The last commit of the branch is not older than `max_age`, or came in time for `due`. */
export type FreshnessExpectation = {
  /** Id of the expectation. */
  id: string
  /** Whether it is declared in the service's configuration file, and can only be changed there. */
  declared: boolean
  /** Patterns of the repositories that must meet it, for one of an organisation; null for one of a repository. */
  repos: string[] | null
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
  /** Number of the branches that do not meet it. */
  unmet: number
  /** Whether an enabled webhook or chat selects its events. If not, nobody is told, except by streams. */
  told: boolean
  /** What is expected. The last commit of the branch is not older than `max_age`, or came in time for `due`. */
  kind: 'freshness'
  /** The branches that must meet it: a name, or a pattern, in which `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Floe watches them from now on. A branch with this name need not exist yet. */
  branch: string
  alias: string | null
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity: 'info' | 'warning' | 'critical' | (string & {})
  within: string | null
  remind: string | null
  /** How old the last commit may become, from a minute to ten years: a whole number of seconds (`s`), minutes (`m`), hours (`h`) or days (`d`). Exactly one of it and `due` is needed. */
  max_age: string | null
  /** In place of `max_age`: a time of day in UTC, such as `07:30`. By then there must be a commit since the due time before. */
  due: string | null
  /** The days on which it is due, such as `mon`. Only with `due`. Null, the default, means every day. */
  days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun' | (string & {}))[] | null
  /** Pattern of groups and arrays: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only commits that created, deleted, moved or updated a node with such a path, or wrote its chunks, count. Null, the default, means that all count. */
  path: string | null
  /** The branches that match, unmet ones first: the first 100. */
  states: FreshnessBranchState[]
}

/** Whether a branch meets an expectation. */
export type WrittenBranchState = {
  /** Name of the repository. */
  repo: string
  /** Name of the branch. */
  branch: string
  /** Whether the last head that could be judged meets it. `unknown` before there is one, and where nothing matches. */
  state: 'met' | 'unmet' | 'unknown' | (string & {})
  /** Since when it is unmet; null while it is not. */
  since: string | null
  /** The last head that was judged; null before the first, and after a change of the expectation until the next. */
  snapshot_id: SnapshotId | null
  /** When the branch becomes unmet unless something changes before; null if that does not depend on time alone. */
  due_at: string | null
  /** Why it is unknown, why the last head could not be judged (the rest is about an earlier one then), or what else the facts do not say. Null otherwise. */
  reason: string | null
  /** Null before the first judgement. */
  facts: WrittenFacts | null
  /** What is known about the branch, in words. */
  summary: string
}

/** Each array of the branch, or each step of it, has at least the share `share` of its chunks written. */
export type WrittenExpectation = {
  /** Id of the expectation. */
  id: string
  /** Whether it is declared in the service's configuration file, and can only be changed there. */
  declared: boolean
  /** Patterns of the repositories that must meet it, for one of an organisation; null for one of a repository. */
  repos: string[] | null
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
  /** Number of the branches that do not meet it. */
  unmet: number
  /** Whether an enabled webhook or chat selects its events. If not, nobody is told, except by streams. */
  told: boolean
  /** What is expected. Each array of the branch, or each step of it, has at least the share `share` of its chunks written. */
  kind: 'written'
  /** The branches that must meet it: a name, or a pattern, in which `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Floe watches them from now on. A branch with this name need not exist yet. */
  branch: string
  alias: string | null
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity: 'info' | 'warning' | 'critical' | (string & {})
  within: string | null
  remind: string | null
  /** Share of the chunks that must be written, greater than 0 and at most 1: of each array, or with `along` of each step. */
  share: number
  /** Pattern of groups and arrays: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only arrays with such a path count. Null, the default, means that all count. */
  path: string | null
  /** Name of a dimension, such as that of the runs of a forecast. Each position of chunks along it is a step, which is judged by itself, up to the last one that has any chunk. Only arrays with the dimension count. Null, the default, means that each array is judged as a whole. */
  along: string | null
  /** How many of the last steps are not judged, because a writer may still add chunks. Only with `along`. Null, the default, means none. */
  except_last: number | null
  /** Positions of chunks of other dimensions that do not count, because they are empty by design. What is empty in every step never counts. Only with `along`. Null, the default, means none. */
  ignore: IgnoredSlices[] | null
  /** Steps that are known to lack chunks, and are not judged. Only with `along`. Null, the default, means none. */
  accepted: AcceptedGap[] | null
  /** The branches that match, unmet ones first: the first 100. */
  states: WrittenBranchState[]
}

/** Whether a branch meets an expectation. */
export type ContractBranchState = {
  /** Name of the repository. */
  repo: string
  /** Name of the branch. */
  branch: string
  /** Whether the last head that could be judged meets it. `unknown` before there is one, and where nothing matches. */
  state: 'met' | 'unmet' | 'unknown' | (string & {})
  /** Since when it is unmet; null while it is not. */
  since: string | null
  /** The last head that was judged; null before the first, and after a change of the expectation until the next. */
  snapshot_id: SnapshotId | null
  /** When the branch becomes unmet unless something changes before; null if that does not depend on time alone. */
  due_at: string | null
  /** Why it is unknown, why the last head could not be judged (the rest is about an earlier one then), or what else the facts do not say. Null otherwise. */
  reason: string | null
  /** Null before the first judgement. */
  facts: ContractFacts | null
  /** What is known about the branch, in words. */
  summary: string
}

/** The branch keeps the contract of its datasets, the document that says what readers rely on. */
export type ContractExpectation = {
  /** Id of the expectation. */
  id: string
  /** Whether it is declared in the service's configuration file, and can only be changed there. */
  declared: boolean
  /** Patterns of the repositories that must meet it, for one of an organisation; null for one of a repository. */
  repos: string[] | null
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
  /** Number of the branches that do not meet it. */
  unmet: number
  /** Whether an enabled webhook or chat selects its events. If not, nobody is told, except by streams. */
  told: boolean
  /** What is expected. The branch keeps the contract of its datasets, the document that says what readers rely on. */
  kind: 'contract'
  /** The branches that must meet it: a name, or a pattern, in which `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Floe watches them from now on. A branch with this name need not exist yet. */
  branch: string
  alias: string | null
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity: 'info' | 'warning' | 'critical' | (string & {})
  within: string | null
  remind: string | null
  /** The branches that match, unmet ones first: the first 100. */
  states: ContractBranchState[]
}

/** Whether a branch meets an expectation. */
export type ProtectedBranchState = {
  /** Name of the repository. */
  repo: string
  /** Name of the branch. */
  branch: string
  /** Whether the last head that could be judged meets it. `unknown` before there is one, and where nothing matches. */
  state: 'met' | 'unmet' | 'unknown' | (string & {})
  /** Since when it is unmet; null while it is not. */
  since: string | null
  /** The last head that was judged; null before the first, and after a change of the expectation until the next. */
  snapshot_id: SnapshotId | null
  /** When the branch becomes unmet unless something changes before; null if that does not depend on time alone. */
  due_at: string | null
  /** Why it is unknown, why the last head could not be judged (the rest is about an earlier one then), or what else the facts do not say. Null otherwise. */
  reason: string | null
  /** Null before the first judgement. */
  facts: ProtectedFacts | null
  /** What is known about the branch, in words. */
  summary: string
}

/** The branch is only moved forward: it is not reset, rewritten or deleted. */
export type ProtectedExpectation = {
  /** Id of the expectation. */
  id: string
  /** Whether it is declared in the service's configuration file, and can only be changed there. */
  declared: boolean
  /** Patterns of the repositories that must meet it, for one of an organisation; null for one of a repository. */
  repos: string[] | null
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
  /** Number of the branches that do not meet it. */
  unmet: number
  /** Whether an enabled webhook or chat selects its events. If not, nobody is told, except by streams. */
  told: boolean
  /** What is expected. The branch is only moved forward: it is not reset, rewritten or deleted. */
  kind: 'protected'
  /** The branches that must meet it: a name, or a pattern, in which `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Floe watches them from now on. A branch with this name need not exist yet. */
  branch: string
  alias: string | null
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity: 'info' | 'warning' | 'critical' | (string & {})
  within: string | null
  remind: string | null
  /** Patterns of the ids of the authors who may commit to the branch (`author_id`): `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Null, the default, means everybody. */
  authors: string[] | null
  /** Pattern of the tags of the repository that are never deleted: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Of more than 1,000, the first that were seen count. Null, the default, means none. */
  tags: string | null
  /** The branches that match, unmet ones first: the first 100. */
  states: ProtectedBranchState[]
}

/** Whether a branch meets an expectation. */
export type GoodBranchState = {
  /** Name of the repository. */
  repo: string
  /** Name of the branch. */
  branch: string
  /** Whether the last head that could be judged meets it. `unknown` before there is one, and where nothing matches. */
  state: 'met' | 'unmet' | 'unknown' | (string & {})
  /** Since when it is unmet; null while it is not. */
  since: string | null
  /** The last head that was judged; null before the first, and after a change of the expectation until the next. */
  snapshot_id: SnapshotId | null
  /** When the branch becomes unmet unless something changes before; null if that does not depend on time alone. */
  due_at: string | null
  /** Why it is unknown, why the last head could not be judged (the rest is about an earlier one then), or what else the facts do not say. Null otherwise. */
  reason: string | null
  /** Null before the first judgement. */
  facts: GoodFacts | null
  /** What is known about the branch, in words. */
  summary: string
}

/** The head of the branch is good: its checks have passed, it meets other expectations, and is not retracted. */
export type GoodExpectation = {
  /** Id of the expectation. */
  id: string
  /** Whether it is declared in the service's configuration file, and can only be changed there. */
  declared: boolean
  /** Patterns of the repositories that must meet it, for one of an organisation; null for one of a repository. */
  repos: string[] | null
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
  /** Number of the branches that do not meet it. */
  unmet: number
  /** Whether an enabled webhook or chat selects its events. If not, nobody is told, except by streams. */
  told: boolean
  /** What is expected. The head of the branch is good: its checks have passed, it meets other expectations, and is not retracted. */
  kind: 'good'
  /** The branches that must meet it: a name, or a pattern, in which `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Floe watches them from now on. A branch with this name need not exist yet. */
  branch: string
  alias: string | null
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity: 'info' | 'warning' | 'critical' | (string & {})
  within: string | null
  remind: string | null
  /** Names of the checks that must have passed. Null, the default, means none. */
  checks: string[] | null
  /** Aliases of the expectations of the kinds `written` and `contract` that the head must meet. Null, the default, means all of the branch. */
  expectations: string[] | null
  /** The branches that match, unmet ones first: the first 100. */
  states: GoodBranchState[]
}

/** What is expected of branches, and whether they meet it. */
export type Expectation =
  FreshnessExpectation | WrittenExpectation | ContractExpectation | ProtectedExpectation | GoodExpectation

/** Expectations, without the documents of contracts. */
export type ExpectationList = {
  /** Oldest first. */
  items: Expectation[]
}

/** The last commit of the branch is not older than `max_age`, or came in time for `due`. */
export type FreshnessCreation = {
  /** What is expected. The last commit of the branch is not older than `max_age`, or came in time for `due`. */
  kind: 'freshness'
  alias?: string | null | undefined
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity?: 'info' | 'warning' | 'critical' | undefined
  within?: string | null | undefined
  remind?: string | null | undefined
  /** How old the last commit may become, from a minute to ten years: a whole number of seconds (`s`), minutes (`m`), hours (`h`) or days (`d`). Exactly one of it and `due` is needed. */
  max_age?: string | null | undefined
  /** In place of `max_age`: a time of day in UTC, such as `07:30`. By then there must be a commit since the due time before. */
  due?: string | null | undefined
  /** The days on which it is due, such as `mon`. Only with `due`. Null, the default, means every day. */
  days?: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[] | null | undefined
  /** Pattern of groups and arrays: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only commits that created, deleted, moved or updated a node with such a path, or wrote its chunks, count. Null, the default, means that all count. */
  path?: string | null | undefined
  /** The branches that must meet it: a name, or a pattern, in which `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Floe watches them from now on. A branch with this name need not exist yet. */
  branch: string
  /** Patterns of the repositories that must meet it, also of those that are added later: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only for an expectation of an organisation. */
  repos?: string[] | undefined
}

/** Each array of the branch, or each step of it, has at least the share `share` of its chunks written. */
export type WrittenCreation = {
  /** What is expected. Each array of the branch, or each step of it, has at least the share `share` of its chunks written. */
  kind: 'written'
  alias?: string | null | undefined
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity?: 'info' | 'warning' | 'critical' | undefined
  within?: string | null | undefined
  remind?: string | null | undefined
  /** Pattern of groups and arrays: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only arrays with such a path count. Null, the default, means that all count. */
  path?: string | null | undefined
  /** Name of a dimension, such as that of the runs of a forecast. Each position of chunks along it is a step, which is judged by itself, up to the last one that has any chunk. Only arrays with the dimension count. Null, the default, means that each array is judged as a whole. */
  along?: string | null | undefined
  /** How many of the last steps are not judged, because a writer may still add chunks. Only with `along`. Null, the default, means none. */
  except_last?: number | null | undefined
  /** Positions of chunks of other dimensions that do not count, because they are empty by design. What is empty in every step never counts. Only with `along`. Null, the default, means none. */
  ignore?: IgnoredSlices[] | null | undefined
  /** Steps that are known to lack chunks, and are not judged. Only with `along`. Null, the default, means none. */
  accepted?: AcceptedGap[] | null | undefined
  /** Share of the chunks that must be written, greater than 0 and at most 1: of each array, or with `along` of each step. */
  share: number
  /** The branches that must meet it: a name, or a pattern, in which `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Floe watches them from now on. A branch with this name need not exist yet. */
  branch: string
  /** Patterns of the repositories that must meet it, also of those that are added later: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only for an expectation of an organisation. */
  repos?: string[] | undefined
}

/** The branch keeps the contract of its datasets, the document that says what readers rely on. */
export type ContractCreation = {
  /** What is expected. The branch keeps the contract of its datasets, the document that says what readers rely on. */
  kind: 'contract'
  alias?: string | null | undefined
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity?: 'info' | 'warning' | 'critical' | undefined
  within?: string | null | undefined
  remind?: string | null | undefined
  contract: DatasetContract
  /** The branches that must meet it: a name, or a pattern, in which `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Floe watches them from now on. A branch with this name need not exist yet. */
  branch: string
  /** Patterns of the repositories that must meet it, also of those that are added later: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only for an expectation of an organisation. */
  repos?: string[] | undefined
}

/** The branch is only moved forward: it is not reset, rewritten or deleted. */
export type ProtectedCreation = {
  /** What is expected. The branch is only moved forward: it is not reset, rewritten or deleted. */
  kind: 'protected'
  alias?: string | null | undefined
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity?: 'info' | 'warning' | 'critical' | undefined
  within?: string | null | undefined
  remind?: string | null | undefined
  /** Patterns of the ids of the authors who may commit to the branch (`author_id`): `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Null, the default, means everybody. */
  authors?: string[] | null | undefined
  /** Pattern of the tags of the repository that are never deleted: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Of more than 1,000, the first that were seen count. Null, the default, means none. */
  tags?: string | null | undefined
  /** The branches that must meet it: a name, or a pattern, in which `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Floe watches them from now on. A branch with this name need not exist yet. */
  branch: string
  /** Patterns of the repositories that must meet it, also of those that are added later: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only for an expectation of an organisation. */
  repos?: string[] | undefined
}

/** The head of the branch is good: its checks have passed, it meets other expectations, and is not retracted. */
export type GoodCreation = {
  /** What is expected. The head of the branch is good: its checks have passed, it meets other expectations, and is not retracted. */
  kind: 'good'
  alias?: string | null | undefined
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity?: 'info' | 'warning' | 'critical' | undefined
  within?: string | null | undefined
  remind?: string | null | undefined
  /** Names of the checks that must have passed. Null, the default, means none. */
  checks?: string[] | null | undefined
  /** Aliases of the expectations of the kinds `written` and `contract` that the head must meet. Null, the default, means all of the branch. */
  expectations?: string[] | null | undefined
  /** The branches that must meet it: a name, or a pattern, in which `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Floe watches them from now on. A branch with this name need not exist yet. */
  branch: string
  /** Patterns of the repositories that must meet it, also of those that are added later: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only for an expectation of an organisation. */
  repos?: string[] | undefined
}

/** An expectation to add. `kind` decides which other members it has. */
export type ExpectationCreation =
  FreshnessCreation | WrittenCreation | ContractCreation | ProtectedCreation | GoodCreation

/** The last commit of the branch is not older than `max_age`, or came in time for `due`. */
export type FreshnessChange = {
  /** What is expected. The last commit of the branch is not older than `max_age`, or came in time for `due`. */
  kind: 'freshness'
  alias?: string | null | undefined
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity?: 'info' | 'warning' | 'critical' | undefined
  within?: string | null | undefined
  remind?: string | null | undefined
  /** How old the last commit may become, from a minute to ten years: a whole number of seconds (`s`), minutes (`m`), hours (`h`) or days (`d`). Exactly one of it and `due` is needed. */
  max_age?: string | null | undefined
  /** In place of `max_age`: a time of day in UTC, such as `07:30`. By then there must be a commit since the due time before. */
  due?: string | null | undefined
  /** The days on which it is due, such as `mon`. Only with `due`. Null, the default, means every day. */
  days?: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[] | null | undefined
  /** Pattern of groups and arrays: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only commits that created, deleted, moved or updated a node with such a path, or wrote its chunks, count. Null, the default, means that all count. */
  path?: string | null | undefined
  /** The branches that must meet it: a name, or a pattern, in which `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Floe watches them from now on. A branch with this name need not exist yet. */
  branch?: string | undefined
  /** Patterns of the repositories that must meet it, also of those that are added later: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only for an expectation of an organisation. */
  repos?: string[] | undefined
}

/** Each array of the branch, or each step of it, has at least the share `share` of its chunks written. */
export type WrittenChange = {
  /** What is expected. Each array of the branch, or each step of it, has at least the share `share` of its chunks written. */
  kind: 'written'
  alias?: string | null | undefined
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity?: 'info' | 'warning' | 'critical' | undefined
  within?: string | null | undefined
  remind?: string | null | undefined
  /** Pattern of groups and arrays: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only arrays with such a path count. Null, the default, means that all count. */
  path?: string | null | undefined
  /** Name of a dimension, such as that of the runs of a forecast. Each position of chunks along it is a step, which is judged by itself, up to the last one that has any chunk. Only arrays with the dimension count. Null, the default, means that each array is judged as a whole. */
  along?: string | null | undefined
  /** How many of the last steps are not judged, because a writer may still add chunks. Only with `along`. Null, the default, means none. */
  except_last?: number | null | undefined
  /** Positions of chunks of other dimensions that do not count, because they are empty by design. What is empty in every step never counts. Only with `along`. Null, the default, means none. */
  ignore?: IgnoredSlices[] | null | undefined
  /** Steps that are known to lack chunks, and are not judged. Only with `along`. Null, the default, means none. */
  accepted?: AcceptedGap[] | null | undefined
  /** The branches that must meet it: a name, or a pattern, in which `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Floe watches them from now on. A branch with this name need not exist yet. */
  branch?: string | undefined
  /** Share of the chunks that must be written, greater than 0 and at most 1: of each array, or with `along` of each step. */
  share?: number | undefined
  /** Patterns of the repositories that must meet it, also of those that are added later: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only for an expectation of an organisation. */
  repos?: string[] | undefined
}

/** The branch keeps the contract of its datasets, the document that says what readers rely on. */
export type ContractChange = {
  /** What is expected. The branch keeps the contract of its datasets, the document that says what readers rely on. */
  kind: 'contract'
  alias?: string | null | undefined
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity?: 'info' | 'warning' | 'critical' | undefined
  within?: string | null | undefined
  remind?: string | null | undefined
  /** The branches that must meet it: a name, or a pattern, in which `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Floe watches them from now on. A branch with this name need not exist yet. */
  branch?: string | undefined
  contract?: DatasetContract | undefined
  /** Patterns of the repositories that must meet it, also of those that are added later: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only for an expectation of an organisation. */
  repos?: string[] | undefined
}

/** The branch is only moved forward: it is not reset, rewritten or deleted. */
export type ProtectedChange = {
  /** What is expected. The branch is only moved forward: it is not reset, rewritten or deleted. */
  kind: 'protected'
  alias?: string | null | undefined
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity?: 'info' | 'warning' | 'critical' | undefined
  within?: string | null | undefined
  remind?: string | null | undefined
  /** Patterns of the ids of the authors who may commit to the branch (`author_id`): `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Null, the default, means everybody. */
  authors?: string[] | null | undefined
  /** Pattern of the tags of the repository that are never deleted: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Of more than 1,000, the first that were seen count. Null, the default, means none. */
  tags?: string | null | undefined
  /** The branches that must meet it: a name, or a pattern, in which `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Floe watches them from now on. A branch with this name need not exist yet. */
  branch?: string | undefined
  /** Patterns of the repositories that must meet it, also of those that are added later: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only for an expectation of an organisation. */
  repos?: string[] | undefined
}

/** The head of the branch is good: its checks have passed, it meets other expectations, and is not retracted. */
export type GoodChange = {
  /** What is expected. The head of the branch is good: its checks have passed, it meets other expectations, and is not retracted. */
  kind: 'good'
  alias?: string | null | undefined
  /** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
  severity?: 'info' | 'warning' | 'critical' | undefined
  within?: string | null | undefined
  remind?: string | null | undefined
  /** Names of the checks that must have passed. Null, the default, means none. */
  checks?: string[] | null | undefined
  /** Aliases of the expectations of the kinds `written` and `contract` that the head must meet. Null, the default, means all of the branch. */
  expectations?: string[] | null | undefined
  /** The branches that must meet it: a name, or a pattern, in which `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Floe watches them from now on. A branch with this name need not exist yet. */
  branch?: string | undefined
  /** Patterns of the repositories that must meet it, also of those that are added later: `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`. Only for an expectation of an organisation. */
  repos?: string[] | undefined
}

/** The members to change, and the kind of the expectation, which stays the same. */
export type ExpectationChange = FreshnessChange | WrittenChange | ContractChange | ProtectedChange | GoodChange

/** Remarks of a repository. */
export type RemarkList = {
  /** Oldest first. */
  items: Remark[]
}

/** A remark to post. It is about the whole repository if it names no snapshot, range, ref or path. */
export type RemarkCreation = {
  /** `note`: something to know. `retraction`: nobody should use what it is about any more. */
  kind: 'note' | 'retraction'
  /** The snapshot that it is about. */
  snapshot?: SnapshotId | undefined
  /** The first of a range of at most 1,000 snapshots, an ancestor of `to`. */
  from?: SnapshotId | undefined
  /** The last of the range. */
  to?: SnapshotId | undefined
  /** The branch or tag that it is about, as long as readers use this name. */
  ref?: string | undefined
  /** The group that it is about, with all that is in it, or the array; default: all of them. */
  path?: string | undefined
  /** What it says, in plain text. */
  text: string
  /** When the note is first shown. Only of a note; null for always. */
  since?: string | null | undefined
  /** When the note is no longer shown. Only of a note; null for never. */
  until?: string | null | undefined
  superseded_by?:
    | {
        /** Name of the repository. */
        repo?: string | undefined
        /** Branch, tag or snapshot of the repository. */
        ref?: string | undefined
        /** An https URL. */
        link?: string | undefined
      }
    | null
    | undefined
}

/** What the remark says from now on. */
export type RemarkChange = {
  /** What it says, in plain text. */
  text?: string | undefined
  /** When the note is first shown. Only of a note; null for always. */
  since?: string | null | undefined
  /** When the note is no longer shown. Only of a note; null for never. */
  until?: string | null | undefined
  superseded_by?:
    | {
        /** Name of the repository. */
        repo?: string | undefined
        /** Branch, tag or snapshot of the repository. */
        ref?: string | undefined
        /** An https URL. */
        link?: string | undefined
      }
    | null
    | undefined
}

/** One event on its way to one receiver. */
export type Delivery = {
  /** Id of the delivery, sent as `webhook-id`. */
  id: string
  /** Id of the webhook or chat. */
  receiver_id: string
  /** Name of the webhook or chat that gets it. */
  receiver_alias: string
  /** Repository of this webhook or chat; null if it belongs to the organisation. */
  receiver_repo_name: string | null
  /** What happened. `NewCommit`: The head of a branch moved. `SchemaChanged`: A head move changed what readers of datasets see. `BranchCreated`: A branch was created. `BranchDeleted`: A branch was deleted. `TagCreated`: A tag was created. `TagDeleted`: A tag was deleted. `ExpectationUnmet`: A branch no longer meets an expectation. `ExpectationMet`: A branch meets an expectation again, or the expectation is gone or starts over. `CheckPosted`: A check of a snapshot has another state, or is new. `GoodMoved`: Another head of a branch is the last good one, or none is any more. `NotePosted`: An administrator posted a note. `SnapshotRetracted`: An administrator retracted snapshots or datasets. Notices about Floe itself, only for receivers of an organisation: `ReceiverDisabled`: Floe disabled another webhook or chat. `ReceiverFailing`: Another webhook or chat failed the first three attempts of a delivery. `RepositoryUnreadable`: The head of a repository could not be read for at least a minute. `RepositoryBack`: A repository that could not be read can be read again. */
  event:
    | 'NewCommit'
    | 'SchemaChanged'
    | 'BranchCreated'
    | 'BranchDeleted'
    | 'TagCreated'
    | 'TagDeleted'
    | 'ExpectationUnmet'
    | 'ExpectationMet'
    | 'CheckPosted'
    | 'GoodMoved'
    | 'NotePosted'
    | 'SnapshotRetracted'
    | 'ReceiverDisabled'
    | 'ReceiverFailing'
    | 'RepositoryUnreadable'
    | 'RepositoryBack'
    | (string & {})
  /** Id of the event, the same in the deliveries to all receivers. */
  event_id: string
  /** Number of the event, sent as `webhook-sequence`. */
  sequence: number
  /** The event in one line of text. */
  line: string
  /** `pending`: waiting for its first or next attempt, or for its digest. `held`: waiting until its receiver is enabled, for at most 90 days. `delivered`: the receiver accepted it. `dead`: it failed, and no further attempt is made. `discarded`: not sent when its receiver was enabled again. */
  state: 'pending' | 'held' | 'delivered' | 'dead' | 'discarded' | (string & {})
  /** When the event was recorded. */
  created_at: string
  /** Number of finished attempts. */
  attempt_count: number
  /** Earliest time of the next attempt, or of the digest; null when it is due at once, or none is planned. */
  next_attempt_at: string | null
  /** Id of the delivery that this one replays as new; null unless it is such a replay. */
  replay_of: string | null
  /** Id of the delivery whose request carries this one too, as part of a digest; attempts and state are those of that one. null if it is sent alone, or waits for its digest. */
  digest_id: string | null
  /** The newest attempt; null before the first. */
  last_attempt: {
    /** When the request was sent. */
    started_at: string
    /** Time from the request to the end of the answer, in milliseconds. */
    duration_ms: number
    /** Status of the answer; null when there was none. */
    status: number | null
    /** Why it failed; null when it succeeded. */
    error: string | null
  } | null
}

/** A page of deliveries. */
export type DeliveryPage = {
  /** Newest first. */
  items: Delivery[]
  /** Send it as `before` for the next page; null on the last page. */
  next: string | null
}

/** How many deliveries of the last day were accepted or failed, and how long they took. */
export type DeliveryRates = {
  /** Deliveries of events from this time on are counted: those of the last 24 hours, or the newest 1,000. */
  since: string
  /** Number of deliveries that were accepted. */
  accepted: number
  /** Number of deliveries that were given up, or wait for a retry. */
  failed: number
  /** Half of the accepted deliveries took at most this time, from the recording of the event to the end of the answer, in milliseconds; null when none was accepted. */
  median_ms: number | null
}

/** The recorded body that webhooks receive; chats receive `line`. */
export type RecordedPayload = {
  /** What happened. */
  event: string
  /** The facts of the event. */
  details: Record<string, unknown>
  [member: string]: unknown
}

/** One request to a receiver. */
export type DeliveryAttempt = {
  /** Number of the attempt, sent as `webhook-attempt`. */
  number: number
  /** When the request was sent. */
  started_at: string
  /** Time from the request to the end of the answer, in milliseconds. */
  duration_ms: number
  /** Status of the answer; null when there was none. */
  status: number | null
  /** Why it failed; null when it succeeded. */
  error: string | null
  /** Start of the body of the answer, with secrets masked. */
  response_excerpt: string | null
}

/** A delivery with its payload and its attempts. */
export type DeliveryDetails = {
  /** Id of the delivery, sent as `webhook-id`. */
  id: string
  /** Id of the webhook or chat. */
  receiver_id: string
  /** Name of the webhook or chat that gets it. */
  receiver_alias: string
  /** Repository of this webhook or chat; null if it belongs to the organisation. */
  receiver_repo_name: string | null
  /** What happened. `NewCommit`: The head of a branch moved. `SchemaChanged`: A head move changed what readers of datasets see. `BranchCreated`: A branch was created. `BranchDeleted`: A branch was deleted. `TagCreated`: A tag was created. `TagDeleted`: A tag was deleted. `ExpectationUnmet`: A branch no longer meets an expectation. `ExpectationMet`: A branch meets an expectation again, or the expectation is gone or starts over. `CheckPosted`: A check of a snapshot has another state, or is new. `GoodMoved`: Another head of a branch is the last good one, or none is any more. `NotePosted`: An administrator posted a note. `SnapshotRetracted`: An administrator retracted snapshots or datasets. Notices about Floe itself, only for receivers of an organisation: `ReceiverDisabled`: Floe disabled another webhook or chat. `ReceiverFailing`: Another webhook or chat failed the first three attempts of a delivery. `RepositoryUnreadable`: The head of a repository could not be read for at least a minute. `RepositoryBack`: A repository that could not be read can be read again. */
  event:
    | 'NewCommit'
    | 'SchemaChanged'
    | 'BranchCreated'
    | 'BranchDeleted'
    | 'TagCreated'
    | 'TagDeleted'
    | 'ExpectationUnmet'
    | 'ExpectationMet'
    | 'CheckPosted'
    | 'GoodMoved'
    | 'NotePosted'
    | 'SnapshotRetracted'
    | 'ReceiverDisabled'
    | 'ReceiverFailing'
    | 'RepositoryUnreadable'
    | 'RepositoryBack'
    | (string & {})
  /** Id of the event, the same in the deliveries to all receivers. */
  event_id: string
  /** Number of the event, sent as `webhook-sequence`. */
  sequence: number
  /** The event in one line of text. */
  line: string
  /** `pending`: waiting for its first or next attempt, or for its digest. `held`: waiting until its receiver is enabled, for at most 90 days. `delivered`: the receiver accepted it. `dead`: it failed, and no further attempt is made. `discarded`: not sent when its receiver was enabled again. */
  state: 'pending' | 'held' | 'delivered' | 'dead' | 'discarded' | (string & {})
  /** When the event was recorded. */
  created_at: string
  /** Number of finished attempts. */
  attempt_count: number
  /** Earliest time of the next attempt, or of the digest; null when it is due at once, or none is planned. */
  next_attempt_at: string | null
  /** Id of the delivery that this one replays as new; null unless it is such a replay. */
  replay_of: string | null
  /** Id of the delivery whose request carries this one too, as part of a digest; attempts and state are those of that one. null if it is sent alone, or waits for its digest. */
  digest_id: string | null
  /** The newest attempt; null before the first. */
  last_attempt: {
    /** When the request was sent. */
    started_at: string
    /** Time from the request to the end of the answer, in milliseconds. */
    duration_ms: number
    /** Status of the answer; null when there was none. */
    status: number | null
    /** Why it failed; null when it succeeded. */
    error: string | null
  } | null
  payload: RecordedPayload
  /** Oldest first. The last 100 attempts are kept, for 30 days. */
  attempts: DeliveryAttempt[]
}

/** An API key without its secret. */
export type ApiKey = {
  /** Id of the API key. */
  id: string
  /** Name for people; null when it has none. */
  name: string | null
  /** `reader` reads metadata; `checker` also posts checks of snapshots; `admin` also administers. */
  role: 'reader' | 'checker' | 'admin' | (string & {})
  /** Names of the repositories that the key covers; null for all repositories of the organisation. */
  repos: string[] | null
  /** Whether it is declared in the service's configuration file, and can only be changed there. */
  declared: boolean
  /** When it was created. */
  created_at: string
  /** Id of the API key or of the account that created it; null when an operator created it. */
  created_by: string | null
  /** When it expires; null when it never does. */
  expires_at: string | null
  /** When it was last used; null when it never was. Updated at most once a minute. */
  last_used_at: string | null
  /** When it was revoked; null when it was not. */
  revoked_at: string | null
}

/** A page of the API keys that the caller's own key covers. */
export type ApiKeyPage = {
  /** Newest first. */
  items: ApiKey[]
  /** Send it as `before` for the next page; null on the last page. */
  next: string | null
}

/** What a new API key allows. */
export type ApiKeyCreation = {
  /** Name for people; other keys can have the same. Default null: none. */
  name?: string | null | undefined
  /** `reader` reads metadata; `checker` also posts checks of snapshots; `admin` also administers. */
  role: 'reader' | 'checker' | 'admin'
  /** Names of the repositories that the key covers. Null, the default, means all, also those that come later. */
  repos?: string[] | null | undefined
  /** When it expires. Null, the default, means never. A key cannot create one that expires later than itself. */
  expires_at?: string | null | undefined
}

/** A new API key, with the key itself. */
export type CreatedApiKey = {
  /** Id of the API key. */
  id: string
  /** Name for people; null when it has none. */
  name: string | null
  /** `reader` reads metadata; `checker` also posts checks of snapshots; `admin` also administers. */
  role: 'reader' | 'checker' | 'admin' | (string & {})
  /** Names of the repositories that the key covers; null for all repositories of the organisation. */
  repos: string[] | null
  /** Whether it is declared in the service's configuration file, and can only be changed there. */
  declared: boolean
  /** When it was created. */
  created_at: string
  /** Id of the API key or of the account that created it; null when an operator created it. */
  created_by: string | null
  /** When it expires; null when it never does. */
  expires_at: string | null
  /** When it was last used; null when it never was. Updated at most once a minute. */
  last_used_at: string | null
  /** When it was revoked; null when it was not. */
  revoked_at: string | null
  /** The key itself, shown only in this answer. */
  key: string
}

/** The session of a person in a browser. */
export type Session = {
  /** Id of the session. It gives no access to the session. */
  id: string
  /** Who has signed in. */
  person: {
    /** The issuer that vouches for the person or program. */
    issuer: string
    /** Id of the person or program at the issuer. */
    subject: string
    /** E-mail address; null when the issuer gives none, or calls it unverified. */
    email: string | null
  }
  /** What the person may do in all repositories that the rules name, as of `checked_at`. */
  role: 'reader' | 'checker' | 'admin' | (string & {})
  /** When the person signed in. */
  created_at: string
  /** When the issuer was last asked whether the person still has the claims. */
  checked_at: string
  /** When the session ends at the latest. */
  expires_at: string
}

/** A page of the sessions of people with a role in the organisation. */
export type SessionPage = {
  /** Newest first. */
  items: Session[]
  /** Send it as `before` for the next page; null on the last page. */
  next: string | null
}

/** One wrong place in a request. */
export type ProblemError = {
  /** JSON pointer (RFC 6901) into path parameters, query or body, such as `/query/group`. */
  pointer: string
  /** What is wrong there, for people. */
  message: string
}

/** The body of every answer that is not 2xx, 303 or 304 (RFC 9457). */
export type Problem = {
  /** The kind of the problem, and the address of a page about it. */
  type: ProblemType
  /** The kind of the problem, for programs: the last segment of `type`. */
  code: ProblemCode | (string & {})
  /** The kind of the problem, for people. */
  title: string
  /** Status of the answer. */
  status: number
  /** What happened in this case. */
  detail: string
  /** Id of this answer in the log of the service. */
  instance: string
  /** With `invalid-request`: the wrong places, at most 1,000. */
  errors?: ProblemError[] | undefined
  /** With `ref-not-found`: address of the list of branches and tags. */
  see?: string | undefined
}

/** Name of the deployment. */
export type DeploymentName = string

/** Name of the organisation. */
export type OrgName = string

/** The chat service, which decides the format of the message, and which answers mean that it is shown. Default: the service that the host of the URL belongs to; for any other host `slack`, because many servers accept its `{"text": ...}`, with the warning `chat-service-guessed`. Name the service of your own Mattermost or Rocket.Chat server, so that mentions and markup in commit messages are shown as plain text. */
export type ChatService =
  'slack' | 'mattermost' | 'discord' | 'teams' | 'googlechat' | 'rocketchat' | 'dingtalk' | 'feishu' | 'wecom'

/** What the check found. `pending`: it still runs. `error`: the check itself failed, so that nothing is known of the snapshot. */
export type CheckState = 'pending' | 'passed' | 'failed' | 'error'

/** `pending`: waiting for its first or next attempt, or for its digest. `held`: waiting until its receiver is enabled, for at most 90 days. `delivered`: the receiver accepted it. `dead`: it failed, and no further attempt is made. `discarded`: not sent when its receiver was enabled again. */
export type DeliveryState = 'pending' | 'held' | 'delivered' | 'dead' | 'discarded'

/** How much it matters that a branch does not meet it. Default for a new one: `warning`. Lines for chats about a critical one begin with `CRITICAL`. */
export type ExpectationSeverity = 'info' | 'warning' | 'critical'

/** Only with `enabled: true`: which of the held deliveries are sent, oldest first; the others are discarded. Held deliveries are those that were pending when it was disabled, and those of events since then. `latest` sends the last of each branch, tag, expectation, check and remark, the last `SchemaChanged` of each branch, and the last notice of each repository. Default `latest`. */
export type Resume = 'latest' | 'all' | 'none'

/** `reader` reads metadata; `checker` also posts checks of snapshots; `admin` also administers. */
export type Role = 'reader' | 'checker' | 'admin'

/** What happened. `NewCommit`: The head of a branch moved. `SchemaChanged`: A head move changed what readers of datasets see. `BranchCreated`: A branch was created. `BranchDeleted`: A branch was deleted. `TagCreated`: A tag was created. `TagDeleted`: A tag was deleted. `ExpectationUnmet`: A branch no longer meets an expectation. `ExpectationMet`: A branch meets an expectation again, or the expectation is gone or starts over. `CheckPosted`: A check of a snapshot has another state, or is new. `GoodMoved`: Another head of a branch is the last good one, or none is any more. `NotePosted`: An administrator posted a note. `SnapshotRetracted`: An administrator retracted snapshots or datasets. */
export type StreamedEventName =
  | 'NewCommit'
  | 'SchemaChanged'
  | 'BranchCreated'
  | 'BranchDeleted'
  | 'TagCreated'
  | 'TagDeleted'
  | 'ExpectationUnmet'
  | 'ExpectationMet'
  | 'CheckPosted'
  | 'GoodMoved'
  | 'NotePosted'
  | 'SnapshotRetracted'
