// Summarizes a repository.
import { maxSummarizedLength, type RepositorySummary } from '@floe/contract'
import {
  type Commit,
  type FeatureFlag,
  MissingObjectError,
  readAuthorId,
  type Repository,
  type RepositoryState,
  type SnapshotId,
} from '@floe/storage/icechunk'
import { mapInParallel, Slices } from '@floe/storage/waiting'
import { type JsonValue, JsonWriter, type JsonBytes } from '@floe/storage/json'
import { readContainers } from '../../catalog/read-containers.ts'
import { requireServedCatalog, type ServedNames } from '../../catalog/served-catalog.ts'
import { showState } from '../../expectations/show-expectation.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { findRedirectTarget, writeOpenAddress } from '../../pages/open-address.ts'
import { shorten } from '../../text/shorten.ts'
import { type Asked, seesStorage } from '../show-service.ts'
import { listKnownStates } from './list-known-states.ts'
import { toStatus } from './operations.ts'

/** Maximum number of branches whose commits are shown. In version 1 each costs a read of the object store. */
const maxShown = { 1: 100, 2: 1_000 } as const

/** Maximum number of concurrent reads of commits. */
const concurrentReads = 16

/** Facts of a repository of version 1, which does not store them. */
const factsOfVersion1 = {
  status: null,
  metadata: new Map<string, JsonValue>(),
  featureFlags: [] as readonly FeatureFlag[],
  snapshotCount: null,
}

const statusOfVersion1 = { availability: 'online', since: null, reason: null } as const

/** The repository to describe. */
type Subject = { readonly repository: Repository; readonly state: RepositoryState }

/** Writes the summary of a repository. Throws what reading the repository throws. */
export async function summarize(
  context: Pick<MetadataContext, 'baseUrl' | 'commitCache' | 'cachedRefs' | 'catalogs' | 'db'>,
  names: ServedNames,
  subject: Subject,
  caller: Asked,
  signal: AbortSignal,
): Promise<JsonBytes<RepositorySummary>> {
  const { repository, state } = subject
  const published = requireServedCatalog(context, names).getPublished(names.repo)
  const { branches, tags } = await (state.formatVersion === 2
    ? state.readRefs(signal)
    : context.cachedRefs.readRefs(repository))
  const { status, metadata, featureFlags, snapshotCount } =
    state.formatVersion === 2 ? state.readFacts() : factsOfVersion1
  const [commits, size, known, containers] = await Promise.all([
    readCommits(context, subject, branches, signal),
    state.main === null ? undefined : repository.measureSnapshot(state.main, signal),
    listKnownStates(context, names),
    seesStorage(context, names, caller) ? readContainers(state, signal) : undefined,
  ])
  return new JsonWriter().writeInSlices<RepositorySummary>(
    {
      name: names.repo,
      format_version: state.formatVersion,
      status: status === null ? statusOfVersion1 : toStatus(status),
      metadata,
      feature_flags: featureFlags.map(({ id, name, isEnabled }) => ({ id, name, enabled: isEnabled })),
      commits: snapshotCount,
      branches: [...branches]
        .values()
        .map(([branch, id]): ShownBranch => ({ name: branch, snapshot_id: id, commit: commits.get(branch) ?? null })),
      tags: tags.size,
      main_snapshot_bytes: size ?? null,
      expectations: known?.map(({ expectation, branch, state }) => showState(expectation, branch, state)) ?? null,
      open_address: findRedirectTarget(published).location && writeOpenAddress(context.baseUrl(), names),
      open: published ?? null,
      containers: containers ?? null,
    },
    new Slices(signal),
  )
}

type ShownBranch = RepositorySummary['branches'][number]

/** Shortens the texts of a commit. Copies them, because a part of a long text would keep all of it in memory. */
function describeCommit({ message, writtenAt, metadata }: Commit): NonNullable<ShownBranch['commit']> {
  return structuredClone({
    commit_message: shorten(message, maxSummarizedLength),
    written_at: writtenAt.toISOString(),
    author_id: shorten(readAuthorId(metadata), maxSummarizedLength),
  })
}

/** Reads the commits of the heads that are shown. A head whose object is gone is left out. */
async function readCommits(
  { commitCache }: Pick<MetadataContext, 'commitCache'>,
  { repository, state }: Subject,
  branches: ReadonlyMap<string, SnapshotId>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ShownBranch['commit']>> {
  const mainFirst = [...branches].sort(([left], [right]) => Number(right === 'main') - Number(left === 'main'))
  const shown = mainFirst.slice(0, maxShown[state.formatVersion])
  const reader = commitCache.openReader(repository, state)
  const slices = new Slices(signal)
  const commits = new Map<string, ShownBranch['commit']>()
  const readHead = async ([name, id]: readonly [string, SnapshotId]) => {
    try {
      commits.set(name, describeCommit(await reader.read(id, signal)))
      if (slices.isOver) await slices.next()
    } catch (error) {
      if (!(error instanceof MissingObjectError)) throw error
    }
  }
  await mapInParallel(shown, concurrentReads, readHead)
  return commits
}
