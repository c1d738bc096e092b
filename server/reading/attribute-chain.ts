import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, DocumentAllowance, DocumentsTooLargeError, type JsonObject } from '@floe/storage/json'
import { CannotDecodeError } from '../xarray/variable.ts'
import { findParent, readGroup } from './group-documents.ts'

/** Number of groups above a group whose attributes it inherits: the nearest ones. */
const maxAbove = 20

/** Reads the attributes of groups. Keeps the last ones, because groups after each other have the same parents. */
export class AttributeChains {
  readonly #snapshot: Snapshot
  readonly #cancellation: Cancellation | undefined
  #last: ReadonlyMap<string, JsonObject> = new Map()

  constructor(snapshot: Snapshot, cancellation: Cancellation | undefined) {
    this.#snapshot = snapshot
    this.#cancellation = cancellation
  }

  /**
   * Reads the attributes of a group and of the groups above it, the nearest first. Groups that cannot be read state
   * nothing.
   *
   * @throws what the cancellation throws
   */
  read(group: string): readonly JsonObject[] {
    return this.#read(group, maxAbove + 1)
  }

  /** Reads the attributes of the groups above a group as {@link read}, for a caller who has read those of the group. */
  readAbove(group: string): readonly JsonObject[] {
    return this.#read(findParent(group), maxAbove)
  }

  #read(group: string | undefined, count: number): readonly JsonObject[] {
    const chain = new Map<string, JsonObject>()
    for (let path = group; path !== undefined && chain.size < count; path = findParent(path))
      chain.set(path, this.#last.get(path) ?? readAttributes(this.#snapshot, path, this.#cancellation))
    this.#last = chain
    return [...chain.values()]
  }
}

function readAttributes(snapshot: Snapshot, path: string, cancellation: Cancellation | undefined): JsonObject {
  if (snapshot.nodes.find(path)?.kind !== 'group') return new Map()
  try {
    return readGroup(snapshot, path, new DocumentAllowance({}, cancellation)).attributes
  } catch (error) {
    if (error instanceof CannotDecodeError || error instanceof DocumentsTooLargeError) return new Map()
    throw error
  }
}
