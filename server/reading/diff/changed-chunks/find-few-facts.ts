import type { NamedManifest } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import type { ChunkFacts } from '../../../pages/commits/collect-changes.ts'
import { isIncomplete } from '../../../pages/parts/written-chunks.ts'
import { countChunks } from '../../completeness/count-chunks.ts'
import { addUpManifests } from '../../completeness/stored-bytes.ts'
import { allowFew, maxFewArrays } from '../../gaps/find-few-gaps.ts'
import type { ReadAllowance } from '../../gaps/read-plan.ts'
import type { SnapshotManifests } from '../../manifests/snapshot-manifests.ts'
import type { ChangedChunks, Changes, ComparedSnapshots } from '../changes.ts'
import { type FilledGaps, FilledGapFinder } from './filled-gaps.ts'

/** The earlier snapshot, and the arrays with changed chunks. */
type ChangedArrays = Pick<ComparedSnapshots, 'before'> & { readonly changes: Pick<Changes, 'chunks'> }

/**
 * Finds what manifests tell about the first arrays with changed chunks, as far as they are few and small. It counts
 * only if no manifest is missing then.
 *
 * @param after manifests with the later snapshot
 * @throws what the cancellation throws
 */
export function findFewFacts(
  { before, changes }: ChangedArrays,
  after: SnapshotManifests,
  cancellation?: Cancellation,
): ReadonlyMap<ChangedChunks, ChunkFacts> {
  const sources = { before: after.ofSnapshot(before), after }
  const allowance = allowFew()
  const finder = new FilledGapFinder(sources.before, after, cancellation, allowance)
  const arrays = changes.chunks?.slice(0, maxFewArrays) ?? []
  // All filled gaps come before the bytes of any array.
  const filled = new Map<ChangedChunks, FilledGaps>()
  for (const changed of arrays) if (hadGaps(sources, changed, cancellation)) filled.set(changed, finder.find(changed))
  return new Map(
    arrays.map((changed) => [
      changed,
      { filled: showFilled(filled.get(changed)), growth: addUpGrowth(sources, changed, allowance, cancellation) },
    ]),
  )
}

type Sources = { readonly before: SnapshotManifests; readonly after: SnapshotManifests }

/** Whether the array had a part of its chunks. */
function hadGaps(sources: Sources, { before, after }: ChangedChunks, cancellation: Cancellation | undefined): boolean {
  if (before === null || after === null) return false
  const chunks = countChunks(sources.before.snapshot, before, cancellation)
  return isIncomplete(chunks) && chunks.written > 0
}

function showFilled(found: FilledGaps | undefined): ChunkFacts['filled'] {
  const { along = null, filled = null } = found ?? {}
  return along === null || filled === null ? null : { along, ranges: filled }
}

/** Compares the manifests that only one of the snapshots has. */
function addUpGrowth(
  sources: Sources,
  { before, after }: ChangedChunks,
  allowance: ReadAllowance,
  cancellation: Cancellation | undefined,
): ChunkFacts['growth'] {
  const [old, current] = [
    listManifests(sources.before, before, cancellation),
    listManifests(sources.after, after, cancellation),
  ]
  if (old === undefined || current === undefined) return null
  // A manifest can have chunks of the array that was replaced too.
  const isSame =
    before !== null &&
    after !== null &&
    sources.before.snapshot.nodes.hasSameId(before, sources.after.snapshot.nodes, after)
  const [gone, added] = isSame ? [without(old, current), without(current, old)] : [old, current]
  if (allowance.take([], [...gone, ...added]) !== undefined) return null
  const lost = before === null ? undefined : addUpManifests(sources.before, before, gone)
  const gained = after === null ? undefined : addUpManifests(sources.after, after, added)
  if (lost === null || gained === null) return null
  const count = (kind: 'native' | 'inline' | 'virtual') => (gained?.[kind].bytes ?? 0) - (lost?.[kind].bytes ?? 0)
  return { stored: count('native') + count('inline'), virtual: count('virtual') }
}

/** None for an array that does not exist; undefined if they cannot be listed. */
function listManifests(
  { snapshot }: SnapshotManifests,
  index: number | null,
  cancellation: Cancellation | undefined,
): readonly NamedManifest[] | undefined {
  if (index === null) return []
  const named = snapshot.chunkReferences.listManifests(index, cancellation)
  return typeof named === 'string' ? undefined : named
}

function without(manifests: readonly NamedManifest[], others: readonly NamedManifest[]): readonly NamedManifest[] {
  const ids = new Set(others.map(({ id }) => id))
  return manifests.filter(({ id }) => !ids.has(id))
}
