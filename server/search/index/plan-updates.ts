// Decides which shards of a head to rewrite, and which datasets they then have.
import { type Database, type HeadToIndex, listShardDatasets, listShardsAt, readShard } from '@floe/storage/database'
import { parseSnapshotId, type SnapshotId } from '@floe/storage/icechunk'
import { readJsonBytes, type JsonBytes } from '@floe/storage/json'
import { sortUtf8 } from '@floe/storage/objects'
import { toReadingProblem } from '../../problems/reading-problem.ts'
import { findParent } from '../../groups/group-documents.ts'
import type { RepositoryMetadata } from '../../groups/repository-metadata.ts'
import { maxShardDatasets } from '../form/places.ts'
import type { GroupFingerprints } from '../describe/list-fingerprints.ts'
import { maxShardLength, type ShardMember, type writeShard } from '../describe/write-shard.ts'

/** What a reader thread answers about the snapshot of a head. */
type Answers = {
  readonly 'changed-paths': JsonBytes<{ readonly changes: GroupChanges | null }>
  readonly fingerprints: JsonBytes<GroupFingerprints>
  readonly shard: ReturnType<typeof writeShard>
}

/** The nodes that commits have changed; an abridged list of the updated ones. */
type GroupChanges = {
  readonly updated: readonly string[]
  readonly counts: {
    readonly created: number
    readonly deleted: number
    readonly moved: number
    readonly updated: number
  }
}

/** A question about the snapshot of a head. */
export type IndexQuestion =
  | { readonly kind: 'changed-paths'; readonly from: SnapshotId; readonly filters: readonly [] }
  | ({ readonly kind: 'fingerprints' } & RepositoryMetadata)
  | ({ readonly kind: 'shard' } & Parameters<typeof writeShard>[1])

export type IndexAnswer<Asked extends IndexQuestion> = Answers[Asked['kind']]

/** Asks a reader thread about a head. */
export type Ask = <Asked extends IndexQuestion>(question: Asked) => Promise<IndexAnswer<Asked>>

/** A shard to rewrite. */
export type ShardUpdate = {
  /** Null for a new one. */
  readonly shard: number | null
  /** The datasets that it has then; none to remove it. */
  readonly members: readonly ShardMember[]
  /** Whether it has other datasets than before. */
  readonly isResized: boolean
}

/** What the index of a head lacks. */
export type UpdatePlan = {
  readonly updates: readonly ShardUpdate[]
  /** Number of datasets that the limits leave out. */
  readonly omitted: number
  /** Why there is nothing to index; null if something is. */
  readonly problem: string | null
}

/** Plans the updates of a head, whose shards have these lengths by id. */
export async function planUpdates(
  db: Database,
  ask: Ask,
  head: HeadToIndex,
  lengths: ReadonlyMap<number, number>,
): Promise<UpdatePlan> {
  const fromLogs = lengths.size === 0 ? undefined : await planFromLogs(db, ask, head)
  return fromLogs ?? (await planFromFingerprints(db, ask, head, lengths))
}

/**
 * Finds in the transaction logs which groups were updated since the indexed snapshot, which is quick however many
 * groups there are. Undefined if the logs are missing, list too much, or say that nodes were created, deleted or moved,
 * because that may change which groups the limits leave out.
 */
async function planFromLogs(db: Database, ask: Ask, head: HeadToIndex): Promise<UpdatePlan | undefined> {
  const from = parseSnapshotId(head.indexedSnapshotId)
  if (from === undefined) return undefined
  const { changes } = await ask({ kind: 'changed-paths', from, filters: [] }).then(readJsonBytes, (error: unknown) => {
    // The indexed snapshot may have expired, for example. The head itself is read below.
    if (toReadingProblem(error) === undefined) throw error
    return { changes: null }
  })
  if (changes === null) return undefined
  const { updated, counts } = changes
  if (counts.created + counts.deleted + counts.moved > 0 || counts.updated > updated.length) return undefined
  // The root has no path that others begin with, and its texts are inherited by all.
  if (updated.includes('')) return undefined
  // An array belongs to the description of its group, and a group to those below it. PostgreSQL refuses NUL, so no such
  // path is indexed.
  const paths = updated.filter((path) => !path.includes('\0'))
  const parents = paths.flatMap((path) => findParent(path) ?? [])
  const shards = await listShardsAt(db, head, { paths: [...new Set([...paths, ...parents])], parents: paths })
  const updates: ShardUpdate[] = []
  for (const shard of shards) updates.push({ shard, members: await readShard(db, shard), isResized: false })
  return { updates, omitted: head.omitted, problem: null }
}

/** Compares all groups of the head with the index. */
async function planFromFingerprints(
  db: Database,
  ask: Ask,
  head: HeadToIndex,
  lengths: ReadonlyMap<number, number>,
): Promise<UpdatePlan> {
  const { groups, omitted, problem } = readJsonBytes(
    await ask({ kind: 'fingerprints', metadata: head.metadata ?? undefined }),
  )
  /** The fingerprints of the groups that no shard has yet. */
  const fresh = new Map(groups)
  const outdated = new Map<number, { isResized: boolean }>()
  const kept = new Map<number, number>()
  for (const { shard, path, fingerprint } of await listShardDatasets(db, head)) {
    const current = fresh.get(path)
    if (current === undefined) outdated.set(shard, { isResized: true })
    else {
      kept.set(shard, (kept.get(shard) ?? 0) + 1)
      if (current !== fingerprint && !outdated.has(shard)) outdated.set(shard, { isResized: false })
    }
    fresh.delete(path)
  }
  const added = [...fresh.keys()]
  const current = new Map(groups)
  const updates: ShardUpdate[] = []
  for (const [id, length] of lengths) {
    // A shard that was full by its length would be split again.
    const room = length < maxShardLength ? maxShardDatasets - (kept.get(id) ?? 0) : 0
    const newcomers = added.splice(0, room)
    if (!outdated.has(id) && newcomers.length === 0) continue
    const members = (await readShard(db, id)).filter(({ path }) => current.has(path))
    const isResized = newcomers.length > 0 || outdated.get(id)?.isResized === true
    updates.push({ shard: id, members: sortMembers([...members, ...newcomers.map(makeNewcomer)]), isResized })
  }
  while (added.length > 0)
    updates.push({ shard: null, members: added.splice(0, maxShardDatasets).map(makeNewcomer), isResized: true })
  return { updates, omitted, problem }
}

/** The change is that of the head. */
function makeNewcomer(path: string): ShardMember {
  return { path, fingerprint: null, changedAt: 0, changedMessage: '' }
}

function sortMembers(members: readonly ShardMember[]): readonly ShardMember[] {
  const byPath = new Map(members.map((member) => [member.path, member]))
  return sortUtf8([...byPath.keys()]).flatMap((path) => byPath.get(path) ?? [])
}
