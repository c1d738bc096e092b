import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation, JsonObject } from '@floe/storage/json'
import { findParent, isGroup } from './group-documents.ts'
import { openGroupAlone } from './open-group.ts'
import { readMetadata } from './repository-metadata.ts'

/** Number of groups above a group whose attributes it inherits: the nearest ones. */
const maxAbove = 20

/** Reads the attributes of groups. Keeps the last ones, because groups after each other have the same parents. */
export class AttributeChains {
  readonly #snapshot: Snapshot
  readonly #cancellation: Cancellation | undefined
  readonly #outermost: readonly JsonObject[]
  #last: ReadonlyMap<string, JsonObject> = new Map()

  /** @param metadata that of the repository, which ends each chain; see `writeMetadata` */
  constructor(snapshot: Snapshot, cancellation: Cancellation | undefined, metadata?: string) {
    this.#snapshot = snapshot
    this.#cancellation = cancellation
    this.#outermost = metadata === undefined ? [] : [readMetadata(metadata)]
  }

  /**
   * Reads the attributes of a group and of the groups above it, the nearest first, then the metadata of the repository.
   * Groups that cannot be read state nothing.
   *
   * @param own the attributes of the group, if they are known
   * @throws what the cancellation throws
   */
  read(group: string, own?: JsonObject): readonly JsonObject[] {
    return own === undefined ? this.#read(group, maxAbove + 1) : [own, ...this.readAbove(group)]
  }

  /** Reads the attributes of the groups above a group as {@link read}. */
  readAbove(group: string): readonly JsonObject[] {
    return this.#read(findParent(group), maxAbove)
  }

  #read(group: string | undefined, count: number): readonly JsonObject[] {
    const chain = new Map<string, JsonObject>()
    for (let path = group; path !== undefined && chain.size < count; path = findParent(path))
      chain.set(path, this.#last.get(path) ?? readAttributes(this.#snapshot, path, this.#cancellation))
    this.#last = chain
    return [...chain.values(), ...this.#outermost]
  }
}

function readAttributes(snapshot: Snapshot, path: string, cancellation: Cancellation | undefined): JsonObject {
  if (!isGroup(snapshot, path)) return new Map()
  return openGroupAlone(snapshot, path, { cancellation }).group?.attributes ?? new Map()
}
