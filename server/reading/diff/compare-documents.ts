// Compares the `zarr.json` of a node in the earlier and in the later snapshot.
import type { Diff } from '@floe/contract'
import type { Node, NodeList } from '@floe/storage/icechunk'
import {
  type Cancellation,
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  spellNumber,
} from '@floe/storage/json'
import { type ArrayMetadata, parseGroupDocument, ZarrDocumentError } from '@floe/storage/zarr'
import { type ChangedMember, listChangedMembers } from '../../compatibility/changed-members.ts'
import { areEqual } from '../../compatibility/equal-values.ts'
import { ParsingBatches } from '../parsing-batches.ts'
import type { ChangedNode } from './changes.ts'

/** A value before and after; null where there is none. */
type Values = readonly [before: JsonValue, after: JsonValue]

/** An updated node in the answer. */
export type UpdatedNode = Diff['arrays']['updated'][number]

/** Members of arrays that the contract names. */
type NamedMember = Exclude<keyof UpdatedNode, 'path' | 'replaced' | 'attributes' | 'other' | 'unreadable'>

/** The members that differ, besides the attributes. */
type MemberChanges = {
  readonly named: { readonly [Name in NamedMember]?: Values }
  /** Members that the contract does not name. */
  readonly others: readonly ChangedMember[]
}

/** What differs in two documents. */
export type DocumentChanges =
  | (MemberChanges & {
      readonly attributes: readonly ChangedMember[]
      /** The names in the later document. */
      readonly dimensionNames: ArrayMetadata['dimensionNames']
    })
  | { readonly unreadable: string }

const noChanges: DocumentChanges = { attributes: [], named: {}, others: [], dimensionNames: null }

const namedMembers: ReadonlySet<string> = new Set<NamedMember>([
  'shape',
  'data_type',
  'dimension_names',
  'codecs',
  'fill_value',
])

function isNamed(name: string): name is NamedMember {
  return namedMembers.has(name)
}

/**
 * Members that are not compared: attributes are compared one by one, and the snapshot itself lists the nodes below a
 * group.
 */
const skippedMembers: ReadonlySet<string> = new Set(['attributes', 'consolidated_metadata'])

/** A parsed document. A group has neither chunks nor shards. */
type ParsedDocument = Pick<ArrayMetadata, 'attributes' | 'document' | 'dimensionNames' | 'chunkShape' | 'shardShape'>

/** Compares the documents of nodes, one node at a time. */
export class DocumentComparison {
  readonly #before: NodeList
  readonly #after: NodeList
  /** Each snapshot has its own, because a parser caches what the last documents had in common. */
  readonly #parsing: { readonly before: ParsingBatches; readonly after: ParsingBatches }
  #last: { readonly before: JsonObject; readonly after: JsonObject; readonly changes: MemberChanges } | undefined

  constructor(before: NodeList, after: NodeList, cancellation: Cancellation | undefined) {
    this.#before = before
    this.#after = after
    this.#parsing = { before: new ParsingBatches(cancellation), after: new ParsingBatches(cancellation) }
  }

  /**
   * Compares the documents of a node; null if it is in one snapshot only. Throws {@link DocumentsTooLargeError}, and
   * what the cancellation throws.
   */
  compare({ before, after }: ChangedNode): DocumentChanges | null {
    if (before === null || after === null) return null
    const [earlier, later] = [this.#before.at(before), this.#after.at(after)]
    if (Buffer.compare(earlier.document, later.document) === 0) return noChanges
    try {
      const [old, current] = [parse(earlier, this.#parsing.before), parse(later, this.#parsing.after)]
      return {
        attributes: listChangedMembers(old.attributes, current.attributes, areShownAlike),
        dimensionNames: current.dimensionNames,
        ...this.#compareMembers(old, current),
      }
    } catch (error) {
      if (error instanceof ZarrDocumentError) return { unreadable: error.message }
      throw error
    }
  }

  /** Compares everything but attributes. Arrays of a group often share the rest of their documents. */
  #compareMembers(before: ParsedDocument, after: ParsedDocument): MemberChanges {
    const last = this.#last
    if (last?.before === before.document && last.after === after.document) return last.changes
    const changes = compareMembers(before, after)
    this.#last = { before: before.document, after: after.document, changes }
    return changes
  }
}

function parse({ kind, document }: Node, parsing: ParsingBatches): ParsedDocument {
  const { allowance, arrays } = parsing.next()
  return kind === 'array'
    ? arrays.parse(document)
    : { ...parseGroupDocument(document, allowance), dimensionNames: null, chunkShape: null, shardShape: null }
}

function writeShape(shape: ArrayMetadata['chunkShape']): JsonValue {
  return shape && shape.map((size) => new JsonNumber(String(size)))
}

function compareMembers(before: ParsedDocument, after: ParsedDocument): MemberChanges {
  const changed = before.document === after.document ? [] : listChanged(before.document, after.document)
  const chunkShape: Values = [writeShape(before.chunkShape), writeShape(after.chunkShape)]
  const shardShape: Values = [writeShape(before.shardShape), writeShape(after.shardShape)]
  const [areChunksEqual, areShardsEqual] = [areShownAlike(...chunkShape), areShownAlike(...shardShape)]
  const named: { -readonly [Name in NamedMember]?: Values } = {}
  const others: ChangedMember[] = []
  for (const member of changed) {
    const { name, before: old = null, after: current = null } = member
    if (isNamed(name)) named[name] = [old, current]
    // The shapes of chunks and shards already describe a regular grid.
    else if (name !== 'chunk_grid' || (areChunksEqual && areShardsEqual) || !(isRegular(old) && isRegular(current)))
      others.push(member)
  }
  if (!areChunksEqual) named.chunk_shape = chunkShape
  if (!areShardsEqual) named.shard_shape = shardShape
  return { named, others }
}

function isRegular(chunkGrid: JsonValue): boolean {
  return isJsonObject(chunkGrid) && chunkGrid.get('name') === 'regular'
}

function listChanged(before: JsonObject, after: JsonObject): readonly ChangedMember[] {
  const changed = listChangedMembers(omitSkipped(before), omitSkipped(after), areShownAlike)
  // Answers show a missing member as null.
  return changed.filter(({ before: old = null, after: current = null }) => old !== current)
}

function omitSkipped(document: JsonObject): JsonObject {
  return new Map([...document].filter(([name]) => !skippedMembers.has(name)))
}

/** Whether answers show two values alike, which spell `2` and `2.0` as they are stored. */
function areShownAlike(left: JsonValue, right: JsonValue): boolean {
  return areEqual(left, right, areSpelledAlike)
}

function areSpelledAlike(left: JsonNumber, right: JsonNumber): boolean {
  return left.text === right.text || spellNumber(left) === spellNumber(right)
}
