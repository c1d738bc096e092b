"""Types of answers and notifications. Generated from contract/openapi.json by `npm run generate`."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal, NotRequired, TypedDict

RepositoryList = list[str]
"""Names of the repositories, sorted by UTF-8 bytes."""


class RefList(TypedDict):
    """Branches and tags of a repository. Deleted tags are not listed."""

    branches: list[str]
    """Sorted by UTF-8 bytes; always includes `main`."""
    tags: list[str]
    """Sorted by UTF-8 bytes."""


DatasetList = list[str]
"""Paths of the groups that directly contain an array, without a leading slash, sorted by UTF-8
bytes; the root group is `""`."""


class VariableInfo(TypedDict):
    """A variable of a dataset."""

    type: str
    """Name of the decoded numpy dtype. Times that are out of range for `datetime64[ns]` are
    `object` in xarray; the metadata does not show this, so such times are `datetime64[ns]` here."""
    dimensions: list[str | None]
    """Names of its dimensions, in their order."""
    attributes: dict[str, Any]
    """Attributes in stored order, without those that CF decoding consumes, such as
    `scale_factor`."""


class DatasetInfo(TypedDict):
    """Dimensions, variables and attributes of a dataset, in the form of xpublish."""

    dimensions: dict[str, int]
    """Size of each dimension. xarray merges all dimensions without a name into one, which has the
    name `null` here."""
    variables: dict[str, VariableInfo]
    """Data variables first, then coordinates."""
    global_attributes: dict[str, Any]
    """Attributes in stored order, without those that CF decoding consumes, such as
    `scale_factor`."""


DatasetKeys = list[str]
"""Names of the variables: data variables first, then coordinates. Names of dimensions are not
needed: `keys` answers too where `info` and `dict` answer 422 because an array has no names of
dimensions, fewer names than dimensions, or null as the name of dimensions with different sizes. A
variable with such a dimension is a coordinate only if `coordinates` names it, or if a dimension of
another array has its name."""


class VariableDict(TypedDict):
    """A variable as `xarray.Dataset.to_dict(data=False)` gives it."""

    dims: list[str | None]
    """Names of its dimensions, in their order."""
    attrs: dict[str, Any]
    """Attributes in stored order, without those that CF decoding consumes, such as
    `scale_factor`."""
    dtype: str
    """Text of the decoded numpy dtype. Times that are out of range for `datetime64[ns]` are
    `object` in xarray; the metadata does not show this, so such times are `datetime64[ns]` here."""
    shape: list[int]
    """Size in each dimension."""


class DatasetDict(TypedDict):
    """The dataset as `xarray.Dataset.to_dict(data=False)` gives it."""

    coords: dict[str, VariableDict]
    """Coordinates by name."""
    attrs: dict[str, Any]
    """Attributes in stored order, without those that CF decoding consumes, such as
    `scale_factor`."""
    dims: dict[str, int]
    """Size of each dimension. xarray merges all dimensions without a name into one, which has the
    name `null` here."""
    data_vars: dict[str, VariableDict]
    """Data variables by name."""


class RepositoryStatus(TypedDict):
    """Whether a repository accepts changes, and why not."""

    availability: str
    """Whether the repository accepts changes. Its metadata can be read in any case."""
    since: str | None
    """When the status was set. Null in format version 1, whose repositories are always online."""
    reason: str | None
    """Why it is not online, in the words of the person who changed the status; otherwise null."""


class FeatureFlag(TypedDict):
    """A feature that a repository can enable or disable."""

    id: int
    """Number of the flag in the Icechunk format."""
    name: str | None
    """Null for a flag that this service does not know."""
    enabled: bool
    """Whether the feature is enabled."""


SnapshotId = str
"""Snapshot id."""


class BranchHeadCommit(TypedDict):
    commit_message: str
    """Message of the commit; the history has the whole message. At most 1,024 characters (Unicode
    code points): a longer text is cut, and ends with `…`."""
    written_at: str
    """When the commit was written, by the writer's clock."""
    author_id: str
    """Author of the commit; the history has the whole text. At most 1,024 characters (Unicode code
    points): a longer text is cut, and ends with `…`."""


class BranchHead(TypedDict):
    """A branch and its last commit."""

    name: str
    """Name of the branch."""
    snapshot_id: SnapshotId
    """The head of the branch."""
    commit: BranchHeadCommit | None
    """The last commit. Null for branches beyond the first 1,000 (in format version 1, the first
    100; `main` is always among them), and when the snapshot no longer exists."""


class WrittenChunks(TypedDict):
    """How many chunks of an array are written. With sharding, shards are counted instead of
    chunks."""

    written: int
    """Chunks that are written, also those that are inline or virtual."""
    total: int
    """Chunks that the array has room for."""


class IncompleteArray(TypedDict):
    """An array with fewer chunks written than expected."""

    path: str
    """Path of the array without a leading slash."""
    chunks: WrittenChunks


class ExpectationState(TypedDict):
    """What is expected of a branch, and whether it is met."""

    branch: str
    """The branch that must meet it."""
    path: str | None
    """With `max_age`, only commits that changed a group or an array with such a path count; with
    `written`, only arrays with such a path. Null if all count."""
    max_age: str | None
    """How old the last commit may become; null if `written` is expected."""
    written: float | None
    """Share of the chunks that must be written, of each array; null otherwise."""
    last_commit_at: str | None
    """When the last commit that counts was written, or seen if its writer states a later time; null
    when none is known."""
    due_at: str | None
    """When the branch becomes stale unless there is another commit, or when it did; null before the
    first check, and without `max_age`."""
    stale_since: str | None
    """Since when it is stale, as far as was told; null while it is fresh."""
    snapshot_id: SnapshotId | None
    """The head that was judged last; null before the first, while Floe tries again, and without
    `written`."""
    incomplete_since: str | None
    """When an array with fewer chunks written was found; null while there is none."""
    arrays: list[IncompleteArray]
    """The first 20 arrays with fewer chunks written, fewer if their paths are long. Empty while
    there are none."""
    incomplete_arrays: int
    """Number of all these arrays."""
    unknown_reason: str | None
    """Why the last head could not be judged: the rest is about an earlier one. Null if it could."""


class ContractState(TypedDict):
    """A contract of a branch, and whether it is kept."""

    name: str
    """Name of the contract."""
    branch: str
    """The branch that must keep it."""
    state: str | None
    """Whether the last head that could be judged keeps the contract; null before there is one."""
    snapshot_id: SnapshotId | None
    """The last head that was judged; null before the first, and while Floe tries again."""
    broken_since: str | None
    """When it was found to be broken; null while it is kept."""
    breaks: list[str]
    """What breaks it, in words: the first 10 breaking changes. Empty while it is kept."""
    breaking_changes: int
    """Number of all breaking changes."""
    unknown_reason: str | None
    """Why the last head could not be judged: the state is that of an earlier one. Null if it
    could."""


class PublishedStorageS3(TypedDict):
    storage: Literal["s3"]
    """Amazon S3, or a store that works like it."""
    bucket: str
    """Name of the bucket."""
    prefix: str
    """Where the repository begins in the bucket or container; empty at its root."""
    region: str | None
    """Region of the bucket; null if it is not published."""
    endpoint: str | None
    """Address of the service; null for Amazon S3."""
    path_style: bool
    """Whether the bucket is in the path of addresses, not in the name of the host."""
    anonymous: bool
    """Whether anyone may read; otherwise readers need credentials of their own."""


class PublishedStorageGcs(TypedDict):
    storage: Literal["gcs"]
    """Google Cloud Storage."""
    bucket: str
    """Name of the bucket."""
    prefix: str
    """Where the repository begins in the bucket or container; empty at its root."""
    anonymous: bool
    """Whether anyone may read; otherwise readers need credentials of their own."""


class PublishedStorageAzure(TypedDict):
    storage: Literal["azure"]
    """Azure Blob Storage."""
    account: str
    """Name of the storage account."""
    container: str
    """Name of the container."""
    prefix: str
    """Where the repository begins in the bucket or container; empty at its root."""
    anonymous: bool
    """Whether anyone may read; otherwise readers need credentials of their own."""


class PublishedStorageHttp(TypedDict):
    storage: Literal["http"]
    """A web server."""
    url: str
    """Address of the repository."""


PublishedStorage = (
    PublishedStorageS3
    | PublishedStorageGcs
    | PublishedStorageAzure
    | PublishedStorageHttp
)
"""Where to open a repository with Icechunk, without this service. Contains no credentials."""


class VirtualContainer(TypedDict):
    """A place outside the repository from which it may take chunks, as its configuration declares
    it. Declared, not proof of use. Contains no credentials."""

    prefix: str
    """The beginning of the addresses of its chunks."""
    store: str
    """Kind of store."""
    region: str | None
    """Region of the store; null if the repository names none."""
    anonymous: bool
    """Whether the repository says that its store needs no credentials."""


class RepositorySummary(TypedDict):
    """Status, metadata and branches of a repository."""

    name: str
    """Name of the repository."""
    format_version: int
    """Version of the Icechunk format."""
    status: RepositoryStatus
    """Whether the repository accepts changes."""
    metadata: dict[str, Any]
    """Metadata of the repository itself, as written; empty in format version 1, which has none."""
    feature_flags: list[FeatureFlag]
    """Sorted by id; empty in format version 1, which has none."""
    commits: int | None
    """Number of snapshots, including those that no branch or tag leads to. Null in format version
    1, where each snapshot would cost a request."""
    branches: list[BranchHead]
    """Sorted by UTF-8 bytes of their names."""
    tags: int
    """Number of tags."""
    main_snapshot_bytes: int | None
    """Stored size of the snapshot at the head of `main`; null when the object store does not
    say."""
    expectations: list[ExpectationState] | None
    """Expectations of branches, unmet ones first. Empty if nobody expects anything. Null while the
    database of the service does not answer."""
    contracts: list[ContractState] | None
    """What readers rely on, and whether branches keep it; what is broken first. Empty if nobody
    attached a contract. Null while the database of the service does not answer."""
    open: PublishedStorage | None
    """Where to open the repository with Icechunk, without this service. Null if the operator does
    not publish it."""
    containers: list[VirtualContainer] | None
    """The virtual chunk containers that the repository declares: places outside of it from which it
    may take chunks. Null if they cannot be read, and for callers who must not see where the
    repository is stored: only administrators do, unless it is published."""


class PathChange(TypedDict):
    """The changes of one group or array in a commit."""

    path: str
    """Path after the commit, of a deleted node before it; the root is `""`."""
    changes: list[str]
    """`created`, `deleted`; `moved`: it had the path `moved_from` before; `replaced`: the path
    belonged to another node of the same kind before; `shape`, `attributes`: these differ;
    `updated`: its `zarr.json` was written, and other members differ, or none; `chunks`: chunks were
    written or deleted."""
    chunks: int | None
    """Number of chunks that were written or deleted; null when that is unknown."""
    moved_from: str | None
    """Path before the commit; null if it was not moved."""


class CommitChanges(TypedDict):
    """The changes in a commit of groups and arrays whose paths match a pattern."""

    nodes: list[PathChange]
    """The first 500, sorted by UTF-8 bytes of the path."""
    count: int
    """Number of all nodes with such a path that the commit changed."""
    unknown_reason: str | None
    """Why not all changes are known; null when they are. `transaction_log_missing`,
    `not_an_ancestor`: changed chunks are unknown, because the log of the commit is gone, or its
    parent is no ancestor any more. `unreadable`: the log or a snapshot is damaged, gone or larger
    than a limit, so `nodes` is empty."""


class HistoryCommit(TypedDict):
    """One commit, with everything that the repository stores about it."""

    snapshot_id: SnapshotId
    """Snapshot id of the commit."""
    parent_snapshot_id: SnapshotId | None
    """Null for the first snapshot of the repository."""
    commit_message: str
    """The whole message."""
    written_at: str
    """When the commit was written, by the writer's clock, which can be minutes off. Commits are
    ordered by their parents, not by this."""
    author_id: str
    """The first of the metadata items `author_id`, `author_email`, `author_name` and `author` that
    is a non-blank text; `unknown` when there is none."""
    metadata: dict[str, Any]
    """The metadata items of the commit, as written: numbers keep their digits, and `2.0` is not
    `2`."""
    changes: NotRequired[CommitChanges]
    """Only with `path`: what the commit did to these paths."""


class HistoryPage(TypedDict):
    """A page of the history of a ref."""

    commits: list[HistoryCommit]
    """Newest first. Fewer than `limit` if they are large, and at most 100 in format version 1; with
    `path`, those of the examined commits that changed it."""
    next: SnapshotId | None
    """Send it as `before` for the next page; null on the last page."""
    until_found: bool | None
    """Whether the history contains the snapshot `until`; if not, the list continues to the first
    snapshot. Null without such an id, and if `since` comes first; in format version 1 also null
    until a page reaches `until` or the first snapshot."""
    missing_snapshot_id: SnapshotId | None
    """The parent of the last commit if its object no longer exists, so that the history ends there:
    in format version 1, after garbage collection of expired snapshots or in an incomplete copy.
    Otherwise null."""


class ChangedAttributes(TypedDict):
    """Differences of the stored attributes; absent when there are none."""

    created: dict[str, Any]
    """Attributes that only the later snapshot has, with their values."""
    deleted: dict[str, Any]
    """Attributes that only the earlier snapshot has, with their values."""
    updated: dict[str, list[Any]]
    """Attributes that both have with different values."""


class UpdatedNode(TypedDict):
    """A node whose `zarr.json` was written, or that replaced another one, with the fields that
    differ. None differ when the same content was written again, or when only one of the snapshots
    has the node."""

    path: str
    """Path without a leading slash; the root is `""`."""
    replaced: NotRequired[bool]
    """Present if the path now belongs to another group or array, usually because it was deleted and
    created again, as `to_zarr(mode="w")` does. The two are compared."""
    attributes: NotRequired[ChangedAttributes]
    shape: NotRequired[list[Any]]
    """The value before and after; null where there is none."""
    data_type: NotRequired[list[Any]]
    """The value before and after; null where there is none."""
    dimension_names: NotRequired[list[Any]]
    """The value before and after; null where there is none."""
    chunk_shape: NotRequired[list[Any]]
    """Elements of one chunk in each dimension; with sharding, of one inner chunk. Null if sizes
    differ."""
    shard_shape: NotRequired[list[Any]]
    """Elements of one shard in each dimension; null without sharding, or if sizes differ."""
    codecs: NotRequired[list[Any]]
    """As stored, also those that zarr-python does not have."""
    fill_value: NotRequired[list[Any]]
    """The value before and after; null where there is none."""
    other: NotRequired[dict[str, list[Any]]]
    """Other fields of `zarr.json`, such as a `chunk_grid` with chunks of different sizes."""
    unreadable: NotRequired[str]
    """Why the documents cannot be compared."""


class ChangedNodes(TypedDict):
    """The groups, or the arrays, that were created, deleted or updated."""

    created: list[str]
    """Sorted by UTF-8 bytes."""
    deleted: list[str]
    """Sorted by UTF-8 bytes."""
    updated: list[UpdatedNode]
    """Sorted by UTF-8 bytes of the path."""


DiffMovedItem = TypedDict(
    "DiffMovedItem",
    {
        "from": str,
        "to": str,
    },
)


class DiffChunksItem(TypedDict):
    path: str
    """Path without a leading slash; the root is `""`."""
    count: int
    """Number of chunks."""
    before: WrittenChunks | None
    """How many chunks were written in the earlier snapshot; null if it is unknown, or the array did
    not exist."""
    after: WrittenChunks | None
    """How many chunks are written in the later snapshot; null if it is unknown, or the array no
    longer exists."""


class ChangedNodeCounts(TypedDict):
    """How many groups, or arrays, were created, deleted and updated."""

    created: int
    """Length of `created`."""
    deleted: int
    """Length of `deleted`."""
    updated: int
    """Length of `updated`."""


class DiffCounts(TypedDict):
    """Number of entries of each list before it was cut."""

    groups: ChangedNodeCounts
    arrays: ChangedNodeCounts
    moved: int
    """Length of `moved`."""
    chunks: int | None
    """Number of arrays with changed chunks."""


class Diff(TypedDict):
    """What changed from one snapshot to another."""

    from_snapshot_id: SnapshotId
    to_snapshot_id: SnapshotId
    groups: ChangedNodes
    arrays: ChangedNodes
    moved: list[DiffMovedItem]
    """Moves in the order in which they were committed. Moving a group moves everything below it."""
    chunks: list[DiffChunksItem] | None
    """Number of chunks written or deleted in each array, sorted by UTF-8 bytes of the path; of a
    replaced array, those of the new one."""
    chunks_unavailable_reason: str | None
    """Why `chunks` is null; otherwise null. `not_an_ancestor`: `from` is not an ancestor of `to`.
    `transaction_log_missing`: the transaction log of a commit in between is gone. In both cases,
    the nodes of the two snapshots were compared."""
    counts: DiffCounts
    """Number of entries of each list before it was cut."""
    truncated: bool
    """Whether the lists were cut to keep the answer small, starting with the last list."""


StateVerdict = str
"""Whether those who read the earlier state can read the later one: the worst verdict of the
changes. `identical`: readers see no difference. `unknown`: the metadata does not show it; the
changes give the reasons."""


ChangeKind = str
"""What changed. The table of the rules has the verdicts of each kind."""


ChangeVerdict = str
"""What the change means for those who read the earlier state."""


class DatasetChange(TypedDict):
    """One difference that readers of a dataset see."""

    kind: ChangeKind
    category: str
    """What the change is about. `cost`: readers get the same values, slower or faster."""
    verdict: ChangeVerdict
    variable: str | None
    """The variable that the change is about; otherwise null."""
    dimension: str | None
    """`"null"` is the dimension without a name."""
    attribute: str | None
    """The attribute that the change is about; otherwise null."""
    before: Any
    """The value in the earlier state; null where there is none."""
    after: Any
    """The value in the later state; null where there is none."""
    widened: NotRequired[bool]
    """Present if the new type holds every value of the old one exactly, as `float64` those of
    `float32`."""
    moved_from: NotRequired[str]
    """The earlier path of an added dataset or variable that was moved. Renames are not guessed."""
    reason: NotRequired[str]
    """Why xarray cannot open the dataset, or why the verdict is `unknown`."""


class DatasetNote(TypedDict):
    """What is worth knowing besides the changes. It does not affect the verdict."""

    kind: str
    """`tree-misaligned`: the size of a dimension no longer equals that in a group above, so that
    `xarray.open_datatree` refuses both. Each opens alone."""
    dimension: str
    """The dimension."""
    size: int
    """Number of elements; may exceed 2^53."""
    parent: str
    """Path of the group above; the root is `""`."""
    parent_size: int
    """Number of elements; may exceed 2^53."""


class ComparedDataset(TypedDict):
    """A dataset, or a group without arrays, that readers see differently."""

    group: str
    """Path without a leading slash; the root is `""`."""
    verdict: StateVerdict
    changes: list[DatasetChange]
    """Breaking changes first, then unknown, then compatible ones."""
    notes: list[DatasetNote]
    """What is worth knowing besides, and does not affect the verdict."""


class VerdictCounts(TypedDict):
    """Numbers by verdict."""

    breaking: int
    """With the verdict `breaking`."""
    unknown: int
    """With the verdict `unknown`."""
    compatible: int
    """With the verdict `compatible`."""


class CompatibilityCounts(TypedDict):
    """Numbers before the lists were cut."""

    datasets: VerdictCounts
    changes: VerdictCounts
    notes: int
    """Number of notes."""
    not_compared: int
    """Number of changed groups that were not compared because the documents of all are too large;
    if there is one, the verdict is `unknown` or `breaking`."""


class Compatibility(TypedDict):
    """Whether those who read the datasets of one snapshot can read those of another."""

    from_snapshot_id: SnapshotId
    to_snapshot_id: SnapshotId
    verdict: StateVerdict
    datasets: list[ComparedDataset]
    """The datasets that differ: breaking ones first, then unknown, then compatible ones; each
    sorted by UTF-8 bytes of the path."""
    counts: CompatibilityCounts
    """Numbers before the lists were cut."""
    truncated: bool
    """Whether the lists were cut to keep the answer small; the worst is listed first."""


class StatedExtent(TypedDict):
    """Where and when the data lies, according to the attributes of the dataset, or else of a group
    above it."""

    bbox: list[float] | None
    """West, south, east, north in degrees. East is less than west if the box crosses the
    antimeridian."""
    start: str | None
    """Null when no start is stated."""
    end: str | None
    """Null when no end is stated."""


class FoundVariable(TypedDict):
    """A variable of a dataset that was found."""

    name: str
    """Name of the variable."""
    standard_name: str | None
    long_name: str | None
    units: str | None
    type: str
    """The decoded dtype, as in `info`."""
    dimensions: list[str]
    """Names of its dimensions."""
    matched: bool
    """Whether this variable has as many of the words and values of the search as any of the dataset
    has."""


class FoundDatasetChanged(TypedDict):
    """The last commit that changed the dataset, as far as the index has seen it."""

    at: str
    """When it was committed."""
    message: str
    """Message of the commit, cut after 200 characters."""


class FoundDataset(TypedDict):
    """A dataset that was found."""

    repo: str
    """Name of the repository."""
    branch: str
    """The branch that was indexed."""
    snapshot_id: SnapshotId
    """The snapshot that was indexed."""
    group: str
    """Path of the group. In a URL, write `/` as it is or as `%2F`."""
    title: str | None
    summary: str | None
    dimensions: dict[str, int]
    """Sizes by name, of the first 20 dimensions."""
    extent: StatedExtent
    variables: list[FoundVariable]
    """The first 20: those that matched, best first, then data variables, then coordinates."""
    variable_count: int
    """Number of all variables."""
    changed: FoundDatasetChanged
    """The last commit that changed the dataset, as far as the index has seen it."""
    refusal: str | None
    """Why xarray cannot open the group, which is then found and shown as it is stored; otherwise
    null."""
    href: str
    """Address of the page of the dataset, beginning with `/`."""


class FacetValuesItem(TypedDict):
    value: str
    """The value."""
    count: int
    """Number of datasets that have it."""


FacetValues = list[FacetValuesItem]
"""The values of a facet, the most frequent first."""


class SearchAnswerFacets(TypedDict):
    """The 20 most frequent values with the number of datasets that have them, counted over the
    first 1,000 datasets found. Of a dataset, the first 64 variables that matched count; if none
    did, its first 16 variables. Units that mean the same count together."""

    variable: NotRequired[FacetValues]
    standard_name: NotRequired[FacetValues]
    units: NotRequired[FacetValues]
    dimension: NotRequired[FacetValues]
    dtype: NotRequired[FacetValues]
    institution: NotRequired[FacetValues]
    keyword: NotRequired[FacetValues]
    licence: NotRequired[FacetValues]


class UnknownWord(TypedDict):
    """A word that was not found."""

    word: str
    """The word, in lower case."""
    near: list[str]
    """Words that some dataset has and that differ in one or two characters."""
    repository: str | None
    """A repository whose name contains the word; search in it with `repo`."""


class SearchAnswerIndex(TypedDict):
    """How current the index is."""

    repositories: int
    """Number of repositories searched."""
    pending: int
    """Number of their branches whose last commit is not indexed yet, or could not be indexed."""
    oldest: str | None
    """Since when the first of these has been waiting; null when none waits."""
    omitted: int
    """Number of datasets left out, because their repository has too many datasets or too many
    words."""


class SearchAnswer(TypedDict):
    """A page of the datasets that match."""

    results: list[FoundDataset]
    """By relevance, then with fewer variables first; or by last change, to the second. Then by
    repository and branch."""
    facets: SearchAnswerFacets
    """The 20 most frequent values with the number of datasets that have them, counted over the
    first 1,000 datasets found. Of a dataset, the first 64 variables that matched count; if none
    did, its first 16 variables. Units that mean the same count together."""
    total: int
    """Number of datasets found."""
    total_is_exact: bool
    """False when there is more than a search reads: 16,384 branches, where each 256 datasets count
    as a branch."""
    without_extent: int | None
    """With `bbox` or `time`: number of datasets that match apart from that, but state no such
    extent. Otherwise null."""
    unknown_words: list[UnknownWord]
    """When nothing was found: words of the query that none of the searched datasets has, at most
    five."""
    next: str | None
    """Send it as `before` for the next page; null on the last page."""
    index: SearchAnswerIndex
    """How current the index is."""


class NotificationCommit(TypedDict):
    """One commit between the previous head and the new one."""

    snapshot_id: SnapshotId
    """Snapshot id of the commit."""
    commit_message: str
    """Message of the commit. At most 16,384 characters (Unicode code points): a longer text is cut,
    and ends with `…`."""
    written_at: str
    """When the commit was written, by the writer's clock: ISO 8601, UTC, milliseconds. Never order
    notifications by it: after a reset of the branch it can be earlier than the time in the
    notification before. Order by the header `webhook-sequence`."""
    author_id: str
    """Author of the commit: the first of its metadata items `author_id`, `author_email`,
    `author_name` and `author` that is a non-blank text; `unknown` when there is none. At most 1,024
    characters (Unicode code points): a longer text is cut, and ends with `…`."""


CommitsUnavailableReason = (
    Literal["first_observation", "history_rewritten", "too_many_commits", "repo_format_v1"]
)
"""`first_observation`: the service has seen no earlier head of this branch; read the state at
`snapshot_id`. `history_rewritten`: the previous head is not an ancestor of the new one, usually
after a reset, so commits from earlier notifications may be gone; clear the cache of the branch and
read it again from `snapshot_id`. `too_many_commits`: more commits than one notification carries;
walk the history back from `snapshot_id`. `repo_format_v1`: the repository uses version 1 of the
Icechunk format, where each listed commit costs a request; migrate it to version 2 to receive the
list."""


ChangedPathsMovedItem = TypedDict(
    "ChangedPathsMovedItem",
    {
        "from": str,
        "to": str,
    },
)


class ChangedPathsCounts(TypedDict):
    """Number of entries of each list before it was cut."""

    created: int
    """Number of created nodes."""
    deleted: int
    """Number of deleted nodes."""
    updated: int
    """Number of updated nodes."""
    moved: int
    """Number of moved nodes."""


class ChangedPaths(TypedDict):
    """The groups and arrays that changed since `previous_snapshot_id`, at most 50 of each kind,
    sorted by path or, if they were moved, by time. Lists can be shorter, so that the notification
    stays small."""

    created: list[str]
    """Nodes that were created."""
    deleted: list[str]
    """Nodes that were deleted."""
    updated: list[str]
    """Nodes whose `zarr.json` was written, nodes that were deleted and created again, and arrays
    with chunks that were written or deleted."""
    moved: list[ChangedPathsMovedItem]
    """Each move of each commit, oldest first; a group moves with everything below it."""
    counts: ChangedPathsCounts
    """Number of entries of each list before it was cut."""


class NewCommitDetails(TypedDict):
    """The facts of one head move: the head of a branch is another commit than before."""

    org_name: str
    """Organisation that owns the repository."""
    repo_name: str
    """Name of the repository."""
    repo_id: str
    """Id of the repository in the service. It stays the same when the location changes."""
    branch: str
    """Branch whose head moved."""
    snapshot_id: SnapshotId
    """The new head of the branch."""
    parent_snapshot_id: SnapshotId | None
    """Parent commit of the new head; null when the head is the repository's first commit."""
    previous_snapshot_id: SnapshotId | None
    """The head that the service saw before this one; null in the first notification of the
    branch."""
    commit_message: str
    """Message of the commit. At most 16,384 characters (Unicode code points): a longer text is cut,
    and ends with `…`."""
    written_at: str
    """When the commit was written, by the writer's clock: ISO 8601, UTC, milliseconds. Never order
    notifications by it: after a reset of the branch it can be earlier than the time in the
    notification before. Order by the header `webhook-sequence`."""
    author_id: str
    """Author of the commit: the first of its metadata items `author_id`, `author_email`,
    `author_name` and `author` that is a non-blank text; `unknown` when there is none. At most 1,024
    characters (Unicode code points): a longer text is cut, and ends with `…`."""
    commits: list[NotificationCommit] | None
    """Every commit after `previous_snapshot_id` up to and including the head, oldest first; null
    when they cannot be listed."""
    commits_unavailable_reason: CommitsUnavailableReason | None
    """Why `commits` is null; null when the commits are listed. The reason says what to do."""
    changes: NotRequired[ChangedPaths | None]
    """What changed; null when it is unknown. Absent unless the webhook sets `include_changes`."""


class NewCommit(TypedDict):
    """The notification of one head move. Accept fields that you do not know: later versions may add
    some."""

    event: Literal["NewCommit"]
    """What happened: `NewCommit` when the head of a branch moved."""
    details: NewCommitDetails


class NotifiedChange(TypedDict):
    """One difference that readers of a dataset see."""

    group: str
    """Path of the dataset, without a leading slash; the root is `""`."""
    kind: ChangeKind
    category: str
    """What the change is about. `cost`: readers get the same values, slower or faster."""
    verdict: ChangeVerdict
    variable: str | None
    """The variable that the change is about; otherwise null."""
    dimension: str | None
    """`"null"` is the dimension without a name."""
    attribute: str | None
    """The attribute that the change is about; otherwise null."""
    before: Any
    """The value in the earlier state; null where there is none."""
    after: Any
    """The value in the later state; null where there is none."""
    widened: NotRequired[bool]
    """Present if the new type holds every value of the old one exactly, as `float64` those of
    `float32`."""
    moved_from: NotRequired[str]
    """The earlier path of an added dataset or variable that was moved. Renames are not guessed."""
    reason: NotRequired[str]
    """Why xarray cannot open the dataset, or why the verdict is `unknown`."""


class NotifiedCounts(TypedDict):
    """Numbers of changes by verdict."""

    breaking: int
    """Number of changes with the verdict `breaking`."""
    unknown: int
    """Number of changes with the verdict `unknown`."""
    compatible: int
    """Number of changes with the verdict `compatible`."""
    not_compared: int
    """Number of changed groups that were not compared because the documents of all are too
    large."""


NotComparedReason = str
"""`timeout`: the comparison took too long. `too_large`: what changed exceeds a limit. `unreadable`:
a snapshot or transaction log could not be read; that of a head which a reset left behind may be
deleted."""


class SchemaChangedDetails(TypedDict):
    """The head move, and what it means for those who read the datasets."""

    org_name: str
    """Organisation that owns the repository."""
    repo_name: str
    """Name of the repository."""
    repo_id: str
    """Id of the repository in the service. It stays the same when the location changes."""
    branch: str
    """Branch whose head moved."""
    snapshot_id: SnapshotId
    """The new head of the branch."""
    parent_snapshot_id: SnapshotId | None
    """Parent commit of the new head; null when the head is the repository's first commit."""
    previous_snapshot_id: SnapshotId
    """The head that the service saw before this one."""
    verdict: ChangeVerdict
    """Whether those who read the datasets at `previous_snapshot_id` can read those at
    `snapshot_id`: the worst verdict of the changes. `unknown`: the metadata does not show it, or
    the datasets were not compared."""
    changes: list[NotifiedChange]
    """What readers see differently: breaking changes first, then unknown, then compatible ones. The
    list can be shorter, so that the notification stays small; `/compatibility/{repo}/{from}/{to}`
    answers the whole list."""
    counts: NotifiedCounts | None
    """Numbers before the list was cut; null when the datasets were not compared."""
    not_compared_reason: NotComparedReason | None
    """Why the datasets were not compared, so that the verdict is `unknown`; null when they were."""


class SchemaChanged(TypedDict):
    """The notification of a head move that changed what readers of datasets see."""

    event: Literal["SchemaChanged"]
    """A head move changed what readers of datasets see."""
    details: SchemaChangedDetails


class BranchCreatedDetails(TypedDict):
    """The branch, and the snapshot that it named."""

    org_name: str
    """Organisation that owns the repository."""
    repo_name: str
    """Name of the repository."""
    repo_id: str
    """Id of the repository in the service. It stays the same when the location changes."""
    branch: str
    """The branch that was created."""
    snapshot_id: SnapshotId
    """The snapshot that it names."""
    previous_snapshot_id: None
    """Always null."""


class BranchCreated(TypedDict):
    """The notification of a branch that was created."""

    event: Literal["BranchCreated"]
    """A branch was created."""
    details: BranchCreatedDetails
    """The branch, and the snapshot that it named."""


class BranchDeletedDetails(TypedDict):
    """The branch, and the snapshot that it named."""

    org_name: str
    """Organisation that owns the repository."""
    repo_name: str
    """Name of the repository."""
    repo_id: str
    """Id of the repository in the service. It stays the same when the location changes."""
    branch: str
    """The branch that was deleted."""
    snapshot_id: None
    """Always null."""
    previous_snapshot_id: SnapshotId
    """The last snapshot that it named, as far as the service saw it."""


class BranchDeleted(TypedDict):
    """The notification of a branch that was deleted."""

    event: Literal["BranchDeleted"]
    """A branch was deleted."""
    details: BranchDeletedDetails
    """The branch, and the snapshot that it named."""


class TagCreatedDetails(TypedDict):
    """The tag, and the snapshot that it named."""

    org_name: str
    """Organisation that owns the repository."""
    repo_name: str
    """Name of the repository."""
    repo_id: str
    """Id of the repository in the service. It stays the same when the location changes."""
    tag: str
    """The tag that was created."""
    snapshot_id: SnapshotId
    """The snapshot that it names."""
    previous_snapshot_id: None
    """Always null."""


class TagCreated(TypedDict):
    """The notification of a tag that was created."""

    event: Literal["TagCreated"]
    """A tag was created."""
    details: TagCreatedDetails
    """The tag, and the snapshot that it named."""


class TagDeletedDetails(TypedDict):
    """The tag, and the snapshot that it named."""

    org_name: str
    """Organisation that owns the repository."""
    repo_name: str
    """Name of the repository."""
    repo_id: str
    """Id of the repository in the service. It stays the same when the location changes."""
    tag: str
    """The tag that was deleted."""
    snapshot_id: None
    """Always null."""
    previous_snapshot_id: SnapshotId
    """The last snapshot that it named, as far as the service saw it."""


class TagDeleted(TypedDict):
    """The notification of a tag that was deleted."""

    event: Literal["TagDeleted"]
    """A tag was deleted."""
    details: TagDeletedDetails
    """The tag, and the snapshot that it named."""


class RepositoryStaleDetails(TypedDict):
    """The expectation, and the last commit that counts."""

    org_name: str
    """Organisation that owns the repository."""
    repo_name: str
    """Name of the repository."""
    repo_id: str
    """Id of the repository in the service. It stays the same when the location changes."""
    expectation_id: str
    """Id of the expectation."""
    branch: str
    """The branch that must meet it."""
    path: str | None
    """With `max_age`, only commits that changed a group or an array with such a path count; with
    `written`, only arrays with such a path. Null if all count."""
    max_age: str
    """How old the last commit may become."""
    last_commit_at: str | None
    """When the last commit that counts was written, or seen if its writer states a later time; null
    when none is known."""
    stale_since: str
    """When the last commit became older than `max_age`."""


class RepositoryStale(TypedDict):
    """A branch has had no commit for longer than an expectation allows."""

    event: Literal["RepositoryStale"]
    """A branch has had no commit for longer than an expectation allows."""
    details: RepositoryStaleDetails
    """The expectation, and the last commit that counts."""


class RepositoryFreshDetails(TypedDict):
    """The expectation, and the last commit that counts."""

    org_name: str
    """Organisation that owns the repository."""
    repo_name: str
    """Name of the repository."""
    repo_id: str
    """Id of the repository in the service. It stays the same when the location changes."""
    expectation_id: str
    """Id of the expectation."""
    branch: str
    """The branch that must meet it."""
    path: str | None
    """With `max_age`, only commits that changed a group or an array with such a path count; with
    `written`, only arrays with such a path. Null if all count."""
    max_age: str
    """How old the last commit may become."""
    last_commit_at: str | None
    """When the last commit that counts was written, or seen if its writer states a later time; null
    when none is known."""
    stale_since: str
    """When the last commit became older than `max_age`."""


class RepositoryFresh(TypedDict):
    """A branch that was stale has a recent commit again."""

    event: Literal["RepositoryFresh"]
    """A branch that was stale has a recent commit again."""
    details: RepositoryFreshDetails
    """The expectation, and the last commit that counts."""


class DatasetIncompleteDetails(TypedDict):
    """The expectation, and the arrays that do not meet it."""

    org_name: str
    """Organisation that owns the repository."""
    repo_name: str
    """Name of the repository."""
    repo_id: str
    """Id of the repository in the service. It stays the same when the location changes."""
    expectation_id: str
    """Id of the expectation."""
    branch: str
    """The branch that must meet it."""
    path: str | None
    """With `max_age`, only commits that changed a group or an array with such a path count; with
    `written`, only arrays with such a path. Null if all count."""
    written: float
    """Share of the chunks that must be written, of each array."""
    snapshot_id: SnapshotId
    """The head of the branch that was judged."""
    arrays: list[IncompleteArray]
    """The first 20 arrays with fewer chunks written, fewer if their paths are long. Empty while
    there are none."""
    incomplete_arrays: int
    """Number of all these arrays."""
    incomplete_since: str
    """When an array with fewer chunks written was found."""


class DatasetIncomplete(TypedDict):
    """Arrays of a branch have fewer chunks written than an expectation asks."""

    event: Literal["DatasetIncomplete"]
    """Arrays of a branch have fewer chunks written than an expectation asks."""
    details: DatasetIncompleteDetails
    """The expectation, and the arrays that do not meet it."""


class DatasetCompleteDetails(TypedDict):
    """The expectation, and the arrays that do not meet it."""

    org_name: str
    """Organisation that owns the repository."""
    repo_name: str
    """Name of the repository."""
    repo_id: str
    """Id of the repository in the service. It stays the same when the location changes."""
    expectation_id: str
    """Id of the expectation."""
    branch: str
    """The branch that must meet it."""
    path: str | None
    """With `max_age`, only commits that changed a group or an array with such a path count; with
    `written`, only arrays with such a path. Null if all count."""
    written: float
    """Share of the chunks that must be written, of each array."""
    snapshot_id: SnapshotId
    """The head of the branch that was judged."""
    arrays: list[IncompleteArray]
    """The first 20 arrays with fewer chunks written, fewer if their paths are long. Empty while
    there are none."""
    incomplete_arrays: int
    """Number of all these arrays."""
    incomplete_since: str
    """When an array with fewer chunks written was found."""


class DatasetComplete(TypedDict):
    """All arrays of a branch have as many chunks written as expected again."""

    event: Literal["DatasetComplete"]
    """All arrays of a branch have as many chunks written as expected again."""
    details: DatasetCompleteDetails
    """The expectation, and the arrays that do not meet it."""


class BrokenPromise(TypedDict):
    """What breaks a contract: `before` is what the contract says, `after` what readers see."""

    group: str
    """Path of the dataset without a leading slash; the root is `""`."""
    kind: ChangeKind
    category: str
    """What the change is about. `cost`: readers get the same values, slower or faster."""
    verdict: ChangeVerdict
    variable: str | None
    """The variable that the change is about; otherwise null."""
    dimension: str | None
    """`"null"` is the dimension without a name."""
    attribute: str | None
    """The attribute that the change is about; otherwise null."""
    before: Any
    """The value in the earlier state; null where there is none."""
    after: Any
    """The value in the later state; null where there is none."""
    widened: NotRequired[bool]
    """Present if the new type holds every value of the old one exactly, as `float64` those of
    `float32`."""
    moved_from: NotRequired[str]
    """The earlier path of an added dataset or variable that was moved. Renames are not guessed."""
    reason: NotRequired[str]
    """Why xarray cannot open the dataset, or why the verdict is `unknown`."""


class ContractBrokenDetails(TypedDict):
    """The contract, and what the head of its branch breaks of it."""

    org_name: str
    """Organisation that owns the repository."""
    repo_name: str
    """Name of the repository."""
    repo_id: str
    """Id of the repository in the service. It stays the same when the location changes."""
    contract_id: str
    """Id of the contract."""
    contract_name: str
    """Name of the contract."""
    branch: str
    """The branch that must keep it."""
    snapshot_id: SnapshotId
    """The head of the branch that was judged."""
    broken_since: str
    """When the contract was found to be broken."""
    changes: list[BrokenPromise]
    """What breaks the contract: at most the first 50 breaking changes, fewer if they are long.
    Empty if it is kept again."""
    breaking_changes: int
    """Number of all breaking changes."""


class ContractBroken(TypedDict):
    """The head of a branch breaks a contract."""

    event: Literal["ContractBroken"]
    """The head of a branch breaks a contract."""
    details: ContractBrokenDetails
    """The contract, and what the head of its branch breaks of it."""


class ContractKeptDetails(TypedDict):
    """The contract, and what the head of its branch breaks of it."""

    org_name: str
    """Organisation that owns the repository."""
    repo_name: str
    """Name of the repository."""
    repo_id: str
    """Id of the repository in the service. It stays the same when the location changes."""
    contract_id: str
    """Id of the contract."""
    contract_name: str
    """Name of the contract."""
    branch: str
    """The branch that must keep it."""
    snapshot_id: SnapshotId
    """The head of the branch that was judged."""
    broken_since: str
    """When the contract was found to be broken."""
    changes: list[BrokenPromise]
    """What breaks the contract: at most the first 50 breaking changes, fewer if they are long.
    Empty if it is kept again."""
    breaking_changes: int
    """Number of all breaking changes."""


class ContractKept(TypedDict):
    """The head of a branch keeps a contract again."""

    event: Literal["ContractKept"]
    """The head of a branch keeps a contract again."""
    details: ContractKeptDetails
    """The contract, and what the head of its branch breaks of it."""


class ReceiverDisabledDetails(TypedDict):
    """What it is about."""

    org_name: str
    """Organisation that owns the repository."""
    repo_name: str
    """Repository of the delivery that failed."""
    repo_id: str
    """Id of the repository in the service. It stays the same when the location changes."""
    receiver_id: str
    """Id of the webhook or chat."""
    receiver_alias: str
    """Its name for people."""
    receiver_kind: str
    """Its kind."""
    receiver_scope: str
    """Whether it belongs to the repository or to the organisation."""
    failing_since: str
    """Time of the first failure since its last success."""
    last_status: int | None
    """Status of its last answer; null when there was none."""
    reason: str
    """`gone`: it answered 410. `too_many_failures`: the last attempt of a delivery failed."""


class ReceiverDisabled(TypedDict):
    """Floe disabled another webhook or chat."""

    event: Literal["ReceiverDisabled"]
    """Floe disabled another webhook or chat."""
    details: ReceiverDisabledDetails
    """What it is about."""


class ReceiverFailingDetails(TypedDict):
    """What it is about."""

    org_name: str
    """Organisation that owns the repository."""
    repo_name: str
    """Repository of the delivery that failed."""
    repo_id: str
    """Id of the repository in the service. It stays the same when the location changes."""
    receiver_id: str
    """Id of the webhook or chat."""
    receiver_alias: str
    """Its name for people."""
    receiver_kind: str
    """Its kind."""
    receiver_scope: str
    """Whether it belongs to the repository or to the organisation."""
    failing_since: str
    """Time of the first failure since its last success."""
    last_status: int | None
    """Status of its last answer; null when there was none."""


class ReceiverFailing(TypedDict):
    """Another webhook or chat failed the first three attempts of a delivery."""

    event: Literal["ReceiverFailing"]
    """Another webhook or chat failed the first three attempts of a delivery."""
    details: ReceiverFailingDetails
    """What it is about."""


class RepositoryUnreadableDetails(TypedDict):
    """What it is about."""

    org_name: str
    """Organisation that owns the repository."""
    repo_name: str
    """Name of the repository."""
    repo_id: str
    """Id of the repository in the service. It stays the same when the location changes."""
    unreadable_since: str
    """Time of the first check that failed."""
    reason: str
    """Code of the problem."""


class RepositoryUnreadable(TypedDict):
    """The head of a repository could not be read for at least a minute."""

    event: Literal["RepositoryUnreadable"]
    """The head of a repository could not be read for at least a minute."""
    details: RepositoryUnreadableDetails
    """What it is about."""


class RepositoryBackDetails(TypedDict):
    """What it is about."""

    org_name: str
    """Organisation that owns the repository."""
    repo_name: str
    """Name of the repository."""
    repo_id: str
    """Id of the repository in the service. It stays the same when the location changes."""
    unreadable_since: str
    """Time of the first check that failed."""


class RepositoryBack(TypedDict):
    """A repository that could not be read can be read again."""

    event: Literal["RepositoryBack"]
    """A repository that could not be read can be read again."""
    details: RepositoryBackDetails
    """What it is about."""


Notification = (
    NewCommit
    | SchemaChanged
    | BranchCreated
    | BranchDeleted
    | TagCreated
    | TagDeleted
    | RepositoryStale
    | RepositoryFresh
    | DatasetIncomplete
    | DatasetComplete
    | ContractBroken
    | ContractKept
    | ReceiverDisabled
    | ReceiverFailing
    | RepositoryUnreadable
    | RepositoryBack
)
"""One event of a repository. Accept events and fields that you do not know: later versions may add
some."""


class ProblemError(TypedDict):
    """One wrong place in a request."""

    pointer: str
    """JSON pointer (RFC 6901) into path parameters, query or body, such as `/query/group`."""
    message: str
    """What is wrong there, for people."""


class Problem(TypedDict):
    """The body of every answer that is not 2xx, 303 or 304 (RFC 9457)."""

    type: str
    """The kind of the problem, and the address of a page about it."""
    code: str
    """The kind of the problem, for programs: the last segment of `type`."""
    title: str
    """The kind of the problem, for people."""
    status: int
    """Status of the answer."""
    detail: str
    """What happened in this case."""
    instance: str
    """Id of this answer in the log of the service."""
    errors: NotRequired[list[ProblemError]]
    """With `invalid-request`: the wrong places, at most 1,000."""
    see: NotRequired[str]
    """With `ref-not-found`: address of the list of branches and tags."""


class HistoryQuery(TypedDict):
    """Query parameters."""

    since: NotRequired[str | date]
    """Stop before the first commit that was written before this time: a date, which means its
    start, or `2026-11-18T06:00`, with or without seconds, up to nine decimals, and a zone (`Z` or
    `+02:00`); without a zone, the time is in UTC."""
    until: NotRequired[str | date]
    """A time: begin with the last commit at or before it, as `{ref}@{time}` does. Or a snapshot id:
    stop before this commit, such as `previous_snapshot_id` of a notification."""
    path: NotRequired[str]
    """Pattern of groups and arrays: `*` stands for any characters except `/`, `**` for any
    characters, `?` for one except `/`. Only commits that created, deleted, moved or updated a node
    with such a path, or wrote its chunks, are listed, each with `changes`, and commits whose
    changes are unknown. `limit` then counts the commits that are examined: at most 100, in version
    1 at most 20."""


class SearchQuery(TypedDict):
    """Query parameters."""

    q: NotRequired[str]
    """Words that must all occur in the repository's name, the path, or a text attribute of the
    dataset or its variables; `winds` also finds `wind`. Title, summary and keywords are inherited
    from groups above. The last word may be the beginning of one, from two letters on. Quotes make a
    phrase; words after the 20th are ignored."""
    variable: NotRequired[Sequence[str]]
    """Name of a variable."""
    standard_name: NotRequired[Sequence[str]]
    """Attribute `standard_name` of a variable."""
    units: NotRequired[Sequence[str]]
    """Attribute `units` of a variable; `m/s` also finds `m s-1` and other usual spellings."""
    dimension: NotRequired[Sequence[str]]
    """Name of a dimension."""
    dtype: NotRequired[Sequence[str]]
    """Decoded dtype of a variable, as `info` has it."""
    institution: NotRequired[Sequence[str]]
    """Attribute `institution` of the dataset."""
    keyword: NotRequired[Sequence[str]]
    """One of the comma-separated `keywords` of the dataset."""
    licence: NotRequired[Sequence[str]]
    """Identifier of SPDX of the licence that the dataset states or inherits, or its text if it has
    none; `no licence stated` finds datasets that state none."""
    attribute: NotRequired[Sequence[str]]
    """An attribute of the dataset, as `name=value`; a value that is not text is written as JSON."""
    bbox: NotRequired[str | Sequence[float]]
    """`west,south,east,north` in degrees; west may be greater than east. Only datasets whose
    attributes state an overlapping box match."""
    time: NotRequired[str | date | Sequence[str | date | None]]
    """`start/end` as dates or instants of ISO 8601, or a single one; `..` or nothing for an open
    end. Only datasets whose attributes state an overlapping time match."""
    repo: NotRequired[Sequence[str]]
    """Name of a repository, or a pattern: `*` stands for any characters except `/`, `**` for any
    characters, `?` for one except `/`."""
    facets: NotRequired[Sequence[Literal["variable", "standard_name", "units", "dimension", "dtype", "institution", "keyword", "licence"]]]
    """Count the values of these over the results."""
    changed_since: NotRequired[str | date]
    """Only datasets that were changed at this time or later, as a date or an instant of ISO
    8601."""
    changed_before: NotRequired[str | date]
    """Only datasets that were last changed before this time, as a date or an instant of ISO
    8601."""
    sort: NotRequired[Literal["relevance", "changed"]]
    """What comes first: what matches best, or what was changed last, as in feeds. Default:
    `relevance`."""


class EventsQuery(TypedDict):
    """Query parameters."""

    repo: NotRequired[str]
    """Only events of this repository."""
    events: NotRequired[Sequence[Literal["NewCommit", "SchemaChanged", "BranchCreated", "BranchDeleted", "TagCreated", "TagDeleted", "RepositoryStale", "RepositoryFresh", "DatasetIncomplete", "DatasetComplete", "ContractBroken", "ContractKept"]]]
    """Only these events. Default: `NewCommit`."""
    branches: NotRequired[Sequence[str]]
    """Only events of these branches, as patterns: `*` stands for any characters except `/`, `**`
    for any characters, `?` for one except `/`. Default: `main`. A branch that nothing else selects
    is watched only while a stream selects it, and for at least 90 s after that; earlier changes are
    not sent."""
    compatibility: NotRequired[Sequence[Literal["breaking", "unknown", "compatible"]]]
    """Only `SchemaChanged` with these verdicts. Default: `breaking` and `unknown`."""
