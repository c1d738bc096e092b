// Writes the answer about two snapshots, up to a number of entries and bytes.
import type { Diff } from '@floe/contract'
import {
  type Cancellation,
  defaultMaxAnswerBytes,
  type Encodable,
  JsonWriter,
  Members,
  type JsonBytes,
} from '@floe/storage/json'
import type { ChangedMember } from '../../compatibility/changed-members.ts'
import type { AskedFor } from '../asked-for.ts'
import { BoundedLists } from '../bounded-lists.ts'
import type { SnapshotManifests } from '../manifests/snapshot-manifests.ts'
import { type ChangedNode, type ChangedNodes, type ComparedSnapshots, explainUnknownChunks } from './changes.ts'
import { countWritten } from './changed-chunks/count-written.ts'
import { DocumentComparison, type UpdatedNode } from './compare-documents.ts'
import { ToldChunks } from './changed-chunks/told-chunks.ts'

/**
 * Writes what changed as JSON.
 *
 * @param source manifests that have been read, with the later snapshot
 * @throws DocumentsTooLargeError, AnswerTooLargeError, and what the cancellation throws
 */
export function writeDiff(
  compared: ComparedSnapshots,
  { manifests }: Pick<AskedFor<'diff'>, 'manifests'>,
  source: SnapshotManifests,
  cancellation?: Cancellation,
): JsonBytes<Diff> {
  const { before, after, changes } = compared
  const { groups, arrays, moves, chunks } = changes
  const json = new JsonWriter(defaultMaxAnswerBytes, cancellation)
  const lists = new BoundedLists(json)
  const documents = new DocumentComparison(before.nodes, after.nodes, cancellation)
  const told = manifests === 'true' ? new ToldChunks(compared, source, cancellation) : undefined
  return json.write<Diff>({
    from_snapshot_id: before.id,
    to_snapshot_id: after.id,
    groups: listNodes(groups, lists, documents),
    arrays: listNodes(arrays, lists, documents),
    moved: lists.take(moves),
    chunks:
      chunks &&
      lists
        .take(chunks)
        .map((changed) => ({
          path: changed.path,
          count: changed.count,
          ...countWritten(compared, changed, cancellation),
          ...told?.describe(changed),
        })),
    ...(told && { bytes: told.bytes }),
    chunks_unavailable_reason: explainUnknownChunks(compared),
    counts: {
      groups: countNodes(groups),
      arrays: countNodes(arrays),
      moved: moves.length,
      chunks: chunks?.length ?? null,
    },
    // Written last, when the lists have ended.
    get truncated() {
      return lists.areCut || told?.isCut === true
    },
  })
}

function listNodes(
  { created, deleted, updated }: ChangedNodes,
  lists: BoundedLists,
  documents: DocumentComparison,
): Encodable<Diff['arrays']> {
  return {
    created: lists.take(created),
    deleted: lists.take(deleted),
    updated: lists.take(updated).map((node) => describeUpdated(node, documents)),
  }
}

function countNodes({ created, deleted, updated }: ChangedNodes): Diff['counts']['arrays'] {
  return { created: created.length, deleted: deleted.length, updated: updated.length }
}

function describeUpdated(node: ChangedNode, documents: DocumentComparison): Encodable<UpdatedNode> {
  const entry = { path: node.path, replaced: node.isReplaced ? (true as const) : undefined }
  const changes = documents.compare(node)
  if (changes === null) return entry
  if ('unreadable' in changes) return { ...entry, unreadable: changes.unreadable }
  const { attributes, named, others } = changes
  return {
    ...entry,
    attributes: attributes.length === 0 ? undefined : describeAttributes(attributes),
    ...named,
    other: others.length === 0 ? undefined : new Members(others.map(pairValues)),
  }
}

function describeAttributes(changed: readonly ChangedMember[]): Encodable<UpdatedNode['attributes']> {
  const isCreated = ({ before }: ChangedMember) => before === undefined
  const isDeleted = ({ after }: ChangedMember) => after === undefined
  return {
    created: new Members(changed.filter(isCreated).map(({ name, after = null }) => [name, after])),
    deleted: new Members(changed.filter(isDeleted).map(({ name, before = null }) => [name, before])),
    updated: new Members(changed.filter((member) => !isCreated(member) && !isDeleted(member)).map(pairValues)),
  }
}

/** The values before and after; null where there is none. */
function pairValues({ name, before = null, after = null }: ChangedMember) {
  return [name, [before, after]] as const
}
