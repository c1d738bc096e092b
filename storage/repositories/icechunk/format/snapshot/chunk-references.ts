// Which manifests each array names, how many references to chunks they hold, and the grids of the arrays, as a snapshot
// states them. The manifests themselves are not read.
import type { Cancellation } from '../../../json/index.ts'
import type { Table, TableVector } from '../../encoding/flatbuffers.ts'
import { DamagedObjectError } from '../../errors.ts'
import type { ManifestId } from '../../types.ts'
import { countManifests, ManifestList, readManifests } from './manifest-list.ts'
import { type ManifestRanges, ManifestRefs } from './manifest-refs.ts'
import type { NodeList } from './node-list.ts'
import { GridReader } from './read-grid.ts'

/**
 * Why it is unknown how many chunks of an array are written. `shared_manifest`: a manifest is named twice, by this
 * array or another one. `outside_grid`: a manifest may hold references to chunks outside of the grid; Icechunk before
 * 1.0 leaves them behind when only the shape shrinks. `contradictory`: the snapshot contradicts itself, or is damaged.
 * `too_many_manifests`: it names more manifests than are read.
 */
type UncountedReason = 'shared_manifest' | 'outside_grid' | 'contradictory' | 'too_many_manifests'

type Count = number | UncountedReason

/** A manifest of an array, as the snapshot describes it. */
export type NamedManifest = {
  readonly id: ManifestId
  /** The bytes of its object. */
  readonly storedBytes: number
  /** The references to chunks that it holds, of all arrays. */
  readonly references: number
  /** Whether another array names it too. */
  readonly isShared: boolean
  /** Where the references of this array lie, along each dimension. */
  readonly ranges: ManifestRanges
}

/** Why the manifests of an array are not listed. */
type ListingFault = Extract<UncountedReason, 'contradictory' | 'too_many_manifests'>

/** The manifests of a snapshot, the index of the array that names each, and the count of each array. */
type Census = {
  readonly manifests: ManifestList | ListingFault
  readonly owners: Int32Array
  readonly counts: readonly Count[]
}

/** The owner of a manifest that no array names, and of one that is named twice. */
const [nobody, several] = [-1, -2]

/** Maximum number of manifests that a snapshot lists, and that its arrays name. */
const maxManifests = 1_000_000

/** Maximum number of manifests of one array that are listed. */
const maxListed = 100_000

/** Number of nodes or manifests between two checks of the cancellation. */
const itemsPerCheck = 1_000

/** The references to the chunks of the arrays of a snapshot. Indexes are those of its nodes. */
export class ChunkReferences {
  readonly #bytes: Uint8Array
  readonly #root: Table
  readonly #nodes: NodeList
  readonly #grids: GridReader
  readonly #refs: ManifestRefs
  #census: Census | undefined

  /** @param root the table of the snapshot in `bytes` */
  constructor(bytes: Uint8Array, root: Table, nodes: NodeList) {
    this.#bytes = bytes
    this.#root = root
    this.#nodes = nodes
    this.#grids = new GridReader(bytes, root)
    this.#refs = new ManifestRefs(bytes, root)
  }

  /** Memory in bytes after the first count, besides the bytes of the snapshot. Reads no node. */
  get sizeBytes(): number {
    const length = unlessDamaged(() => countManifests(this.#bytes, this.#root))
    const manifests = typeof length === 'string' ? 0 : Math.min(length, maxManifests)
    return 8 * (this.#root.readTables(2)?.length ?? 0) + (ManifestList.itemBytes + 4) * manifests
  }

  /**
   * Reads how many chunks an array has along each dimension. This is right for regular grids only: version 1 stores one
   * length for all chunks, and version 2 counts the chunks beyond a shape that shrank.
   *
   * @returns undefined if it is unknown
   */
  readGrid(index: number): readonly number[] | undefined {
    const grid = unlessDamaged(() => {
      const position = this.#nodes.findArrayData(index)
      return position === 0 ? undefined : this.#grids.read(position)
    })
    return grid === 'contradictory' ? undefined : grid
  }

  /**
   * Counts the references to chunks of an array.
   *
   * @param grid how many chunks it has along each dimension
   * @throws what the cancellation throws
   */
  count(index: number, grid: readonly number[], cancellation?: Cancellation): Count {
    this.#census ??= this.#countAll(cancellation)
    const count = this.#census.counts[index] ?? 0
    return count === 0 || typeof count === 'string' ? count : unlessDamaged(() => this.#checkRanges(index, grid, count))
  }

  /**
   * Whether an array has no reference to a chunk. False if that is unknown.
   *
   * @throws what the cancellation throws
   */
  isEmpty(index: number, cancellation?: Cancellation): boolean {
    this.#census ??= this.#countAll(cancellation)
    return this.#census.counts[index] === 0
  }

  /**
   * Lists the manifests that an array names. A group has none.
   *
   * @returns why they are not listed, if that is so
   * @throws what the cancellation throws
   */
  listManifests(index: number, cancellation?: Cancellation): readonly NamedManifest[] | ListingFault {
    this.#census ??= this.#countAll(cancellation)
    const { manifests, owners } = this.#census
    if (typeof manifests === 'string') return manifests
    if (this.#nodes.readKind(index) === 'group') return []
    return unlessDamaged(() => {
      const named = this.#findManifests(index)
      if (named === undefined) return 'contradictory'
      if (named.length > maxListed) return 'too_many_manifests'
      const list: NamedManifest[] = []
      const numbers = new Set<number>()
      for (let at = 0; at < named.length; at++) {
        if (at % itemsPerCheck === 0) cancellation?.throwIfAborted()
        const number = this.#openManifest(named, at, manifests)
        const ranges = this.#refs.readRanges()
        const storedBytes = number === undefined ? NaN : manifests.readSize(number)
        if (number === undefined || ranges === undefined || numbers.has(number)) return 'contradictory'
        if (!Number.isSafeInteger(storedBytes)) return 'contradictory'
        numbers.add(number)
        const [id, references] = [manifests.readId(number), manifests.readCount(number)]
        list.push({ id, storedBytes, references, isShared: owners[number] !== index, ranges })
      }
      return list
    })
  }

  /** Moves to a manifest that an array names. Returns its number in the list, which may lack it. */
  #openManifest(named: TableVector, at: number, manifests: ManifestList): number | undefined {
    this.#refs.moveTo(named, at)
    const id = this.#refs.findId()
    return id === 0 ? undefined : manifests.find(id)
  }

  /** Returns the count, unless the ranges of its manifests show that it is wrong. */
  #checkRanges(index: number, grid: readonly number[], count: number): Count {
    const named = this.#findManifests(index)
    if (named === undefined) return 'contradictory'
    let room = 0
    for (let at = 0; at < named.length; at++) {
      this.#refs.moveTo(named, at)
      const chunks = this.#refs.countRoom(grid)
      if (typeof chunks === 'string') return chunks
      room += chunks
    }
    return count > room ? 'contradictory' : count
  }

  /** Counts for all arrays at once, because that shows which manifests several of them name. */
  #countAll(cancellation: Cancellation | undefined): Census {
    const counts = Array.from<unknown, Count>({ length: this.#nodes.length }, () => 0)
    const manifests = unlessDamaged(() => readManifests(this.#bytes, this.#root, maxManifests))
    if (typeof manifests === 'string') return giveUp(counts, manifests)
    const owners = new Int32Array(manifests.length).fill(nobody)
    let left = maxManifests
    for (let index = 0; index < counts.length; index++) {
      if (index % itemsPerCheck === 0) cancellation?.throwIfAborted()
      if (this.#nodes.readKind(index) === 'group') continue
      const named = unlessDamaged(() => this.#findManifests(index) ?? 'contradictory')
      if (typeof named !== 'string') {
        left -= named.length
        if (left < 0) return giveUp(counts, 'too_many_manifests')
      }
      counts[index] =
        typeof named === 'string' ? named : unlessDamaged(() => this.#addUp(index, named, manifests, owners, counts))
    }
    return { manifests, owners, counts }
  }

  /**
   * Adds up the references in the manifests that an array names. An array that names one of them already has no count
   * then.
   */
  #addUp(index: number, named: TableVector, manifests: ManifestList, owners: Int32Array, counts: Count[]): Count {
    let count: Count = 0
    for (let at = 0; at < named.length; at++) {
      const manifest = this.#openManifest(named, at, manifests)
      if (manifest === undefined) {
        count = 'contradictory'
        continue
      }
      const owner = owners[manifest] ?? nobody
      if (owner === nobody) {
        owners[manifest] = index
        if (typeof count === 'number') count += manifests.readCount(manifest)
      } else {
        if (owner !== several) counts[owner] = 'shared_manifest'
        owners[manifest] = several
        count = 'shared_manifest'
      }
    }
    return count
  }

  /** The manifests that an array names; undefined if it states none. */
  #findManifests(index: number): TableVector | undefined {
    const position = this.#nodes.findArrayData(index)
    return position === 0 ? undefined : this.#refs.find(position)
  }
}

function giveUp(counts: Count[], reason: ListingFault): Census {
  return { manifests: reason, owners: new Int32Array(), counts: counts.fill(reason) }
}

function unlessDamaged<Value>(read: () => Value): Value | 'contradictory' {
  try {
    return read()
  } catch (error) {
    if (error instanceof DamagedObjectError) return 'contradictory'
    throw error
  }
}
