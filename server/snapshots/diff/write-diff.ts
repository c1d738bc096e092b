// Writes the answer about two snapshots, up to a number of entries and bytes.
import type { LogFiles, Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, defaultMaxAnswerBytes, JsonWriter } from '@floe/storage/json'
import type { ChangedNodes, Changes, PlacedNode } from './changes.ts'
import { type DocumentChanges, DocumentComparison, type Values } from './compare-documents.ts'

/** Most entries of all lists together. */
const maxEntries = 10_000

/** When an answer has this size in bytes, the entries that are left are left out. One entry is never cut. */
const maxListedBytes = 16 * 1024 * 1024

/** The two snapshots, and why their logs could not be combined. */
export type DiffFacts = {
  readonly before: Snapshot
  readonly after: Snapshot
  readonly reason: Exclude<LogFiles['kind'], 'logs'> | null
}

const reasons = { 'not-an-ancestor': 'not_an_ancestor', missing: 'transaction_log_missing' } as const

/**
 * Writes what changed as JSON, in the form of the contract.
 *
 * @throws DocumentsTooLargeError, AnswerTooLargeError, and what the cancellation throws
 */
export function writeDiff(
  { before, after, reason }: DiffFacts,
  { groups, arrays, moves, chunks }: Changes,
  cancellation?: Cancellation,
): Uint8Array<ArrayBuffer> {
  const json = new JsonWriter(defaultMaxAnswerBytes, cancellation)
  const lists = new BoundedLists(json)
  const documents = new DocumentComparison(before.nodes, after.nodes, cancellation)
  json.raw('{"from_snapshot_id":').string(before.id).raw(',"to_snapshot_id":').string(after.id)
  json.raw(',"groups":')
  writeNodes(json, lists, documents, groups)
  json.raw(',"arrays":')
  writeNodes(json, lists, documents, arrays)
  json.raw(',"moved":')
  lists.write(moves, ({ from, to }) => json.raw('{"from":').string(from).raw(',"to":').string(to).raw('}'))
  json.raw(',"chunks":')
  if (chunks === null) json.value(null)
  else lists.write(chunks, ({ path, count }) => json.raw('{"path":').string(path).raw(`,"count":${count}}`))
  json.raw(',"chunks_unavailable_reason":').value(reason && reasons[reason])
  json.raw(',"counts":{"groups":').raw(countNodes(groups)).raw(',"arrays":').raw(countNodes(arrays))
  json.raw(`,"moved":${moves.length},"chunks":${chunks?.length ?? null}},"truncated":${lists.areCut}}`)
  return json.finish()
}

/** Writes lists until the answer is full. */
class BoundedLists {
  readonly #json: JsonWriter
  #entriesLeft = maxEntries
  areCut = false

  constructor(json: JsonWriter) {
    this.#json = json
  }

  write<Item>(items: readonly Item[], write: (item: Item) => void): void {
    this.#json.items(this.#take(items), (_, item) => write(item))
  }

  *#take<Item>(items: readonly Item[]): Generator<Item> {
    for (const item of items) {
      if (this.#entriesLeft === 0 || this.#json.length > maxListedBytes) {
        this.areCut = true
        return
      }
      this.#entriesLeft--
      yield item
    }
  }
}

function writeNodes(
  json: JsonWriter,
  lists: BoundedLists,
  documents: DocumentComparison,
  { created, deleted, updated }: ChangedNodes,
): void {
  const writePath = (path: string) => json.string(path)
  json.raw('{"created":')
  lists.write(created, writePath)
  json.raw(',"deleted":')
  lists.write(deleted, writePath)
  json.raw(',"updated":')
  lists.write(updated, (node) => writeUpdated(json, documents, node))
  json.raw('}')
}

function countNodes({ created, deleted, updated }: ChangedNodes): string {
  return JSON.stringify({ created: created.length, deleted: deleted.length, updated: updated.length })
}

function writeUpdated(json: JsonWriter, documents: DocumentComparison, node: PlacedNode): void {
  json.raw('{"path":').string(node.path)
  const changes = documents.compare(node)
  if (changes !== null) writeDocumentChanges(json, changes)
  json.raw('}')
}

function writeDocumentChanges(json: JsonWriter, changes: DocumentChanges): void {
  if ('unreadable' in changes) {
    json.raw(',"unreadable":').string(changes.unreadable)
    return
  }
  const { attributes, members, others } = changes
  if (attributes !== null) {
    json.raw(',"attributes":{"created":').members(attributes.created, (json, value) => json.value(value))
    json.raw(',"deleted":').members(attributes.deleted, (json, value) => json.value(value))
    json.raw(',"updated":').members(attributes.updated, writeValues).raw('}')
  }
  for (const [name, values] of members) {
    json.raw(',').string(name).raw(':')
    writeValues(json, values)
  }
  if (others.length > 0) json.raw(',"other":').members(others, writeValues)
}

function writeValues(json: JsonWriter, values: Values): void {
  json.value(values)
}
