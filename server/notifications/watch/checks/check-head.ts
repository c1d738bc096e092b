// Finds what has changed in a repository since the last check, and records it.
import {
  type Head,
  mainAlone,
  type RecordedRefs,
  readRecordedRefs,
  recordContainers,
  recordFormatVersion,
  recordMetadata,
  type RefSelection,
  unreadableContainers,
  writeSelection,
} from '@floe/storage/database'
import {
  IcechunkError,
  MissingObjectError,
  RefNotFoundError,
  repoKey,
  type RepositoryState,
  type SnapshotId,
} from '@floe/storage/icechunk'
import { ObjectStoreError } from '@floe/storage/objects'
import type { CatalogEntry } from '../../../catalog/catalog-entry.ts'
import { requireContainers } from '../../../catalog/read-containers.ts'
import { writeMetadata } from '../../../groups/repository-metadata.ts'
import type { CheckParts } from './check-parts.ts'
import { toHeadCommit } from './head-move.ts'
import { checkRefs } from './check-refs.ts'
import { recordMove } from './record-move.ts'

/** A head of `main` that a check has found and recorded. */
export type CheckedHead = {
  readonly snapshotId: string
  /** The head recorded before this check; null when there was none. */
  readonly previousSnapshotId: string | null
  /**
   * The event that the check recorded for this head; null if the head had not moved, or was the first one and had no
   * receivers.
   */
  readonly eventId: string | null
  /** Whether the check recorded any event. */
  readonly hasEvents: boolean
  /** Version of the Icechunk format. */
  readonly formatVersion: 1 | 2
  /**
   * Version of the repository: as long as it stays the same, no watched ref has changed. Undefined if it does not cover
   * all of them. See `Repository.readFreshVersion`.
   */
  readonly version: string | undefined
}

const noRefs: RecordedRefs = { branches: new Map(), tags: new Map() }

/** Maximum number of attempts to record a move while other processes record moves too. */
const maxAttempts = 5

/**
 * Reads the head of `main` and records it when it has moved; then does the same with the other selected branches and
 * tags.
 *
 * Several processes may check at the same time. The records are read before the repository, so the repository is never
 * older than the records.
 */
export async function checkHead(
  parts: CheckParts,
  entry: CatalogEntry,
  selection: RefSelection,
  signal: AbortSignal,
): Promise<CheckedHead> {
  const { db, heads } = parts
  const { id, repository } = entry
  let previousSnapshotId: string | null = null
  let eventId: string | null = null
  let isMainChecked = false
  let hasRefEvents = false
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const previous = await heads.read(id)
    const recordedSelection = previous?.recordedSelection ?? mainAlone
    const isMainAlone = writeSelection(recordedSelection) === null && writeSelection(selection) === null
    const recordedRefs = isMainAlone ? undefined : previous?.hasOtherRefs ? await readRecordedRefs(db, id) : noRefs
    const state = await repository.readFreshState(signal)
    // A migration to version 2 may leave the old refs behind. Once `repo` has been read, they no longer count.
    const isLost = previous?.formatVersion === 2 && state.formatVersion === 1
    if (isLost) throw new MissingObjectError(repository.location, repoKey)
    const { main: snapshotId, formatVersion } = state
    if (snapshotId === null) throw new RefNotFoundError(repository.location, 'main')
    if (!isMainChecked) previousSnapshotId = previous?.snapshotId ?? null
    const main = await recordMain(parts, { entry, state, snapshotId, previous }, signal)
    if (main.kind === 'outdated') continue
    eventId = main.eventId ?? eventId
    isMainChecked = true
    if (recordedRefs !== undefined) {
      const checked = { entry, state, recordedSelection, selection, recordedRefs }
      const refs = await checkRefs(parts, checked, signal)
      hasRefEvents ||= refs.hasEvents
      if (refs.isOutdated) continue
    }
    return {
      snapshotId,
      previousSnapshotId,
      eventId,
      hasEvents: eventId !== null || hasRefEvents,
      formatVersion,
      // In version 1, each branch has an object of its own.
      version: formatVersion === 1 && !isMainAlone ? undefined : state.version,
    }
  }
  throw new Error(`the refs of ${entry.org}/${entry.name} move faster than they can be recorded`)
}

type CheckedMain = {
  readonly entry: CatalogEntry
  readonly state: RepositoryState
  readonly snapshotId: SnapshotId
  readonly previous: Head | null
}

/** Records the head of `main` if it is new, and what else has changed: metadata, version of the format, containers. */
async function recordMain(
  parts: CheckParts,
  { entry, state, snapshotId, previous }: CheckedMain,
  signal: AbortSignal,
): Promise<{ readonly kind: 'recorded'; readonly eventId: string | null } | { readonly kind: 'outdated' }> {
  const { db, heads } = parts
  const { formatVersion } = state
  const main = { repoId: entry.id, branch: 'main' }
  const containers = await findContainers({ state, snapshotId, previous }, signal)
  const metadata = { from: previous?.metadata ?? null, to: writeMetadata(state) ?? null }
  // Before the head, so that it is indexed with the metadata.
  if (metadata.from !== metadata.to) await recordMetadata(db, entry.id, metadata)
  let eventId: string | null = null
  if (previous?.snapshotId !== snapshotId) {
    const head = await state.readCommit(snapshotId, signal)
    const first = { ...main, snapshotId, commit: toHeadCommit(head), formatVersion, containers }
    // If nobody could receive an event, the head is recorded without one, in a transaction with other first heads.
    if (previous === null && (await heads.recordFirst(first))) return { kind: 'recorded', eventId }
    const move = { repository: entry, branch: 'main', state, snapshotId, previous, head }
    const recorded = await recordMove(parts, move, signal)
    if (recorded.kind === 'outdated') return recorded
    eventId = recorded.eventId
  }
  if (previous?.formatVersion !== formatVersion) await recordFormatVersion(db, entry.id, 'main', formatVersion)
  if (containers !== null && previous?.containers !== containers) await recordContainers(db, entry.id, containers)
  return { kind: 'recorded', eventId }
}

/**
 * Finds the containers to record, as JSON; null if they are unknown because the store fails. In version 1, only a head
 * move costs a read, also if the file is damaged.
 */
async function findContainers(
  { state, snapshotId, previous }: Omit<CheckedMain, 'entry'>,
  signal: AbortSignal,
): Promise<string | null> {
  const isKnown = previous?.snapshotId === snapshotId && previous.containers !== null
  if (state.formatVersion === 1 && isKnown) return previous.containers
  try {
    return JSON.stringify(await requireContainers(state, signal))
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof IcechunkError) return previous?.containers ?? unreadableContainers
    if (error instanceof ObjectStoreError) return null
    throw error
  }
}
