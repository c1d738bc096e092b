import type { Snapshot } from '@floe/storage/icechunk'
import type { JsonObject } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import { findParent } from '../../groups/group-documents.ts'
import { isTimeLike } from '../../xarray/cf/time-units.ts'
import type { ParsingBatches } from '../parsing-batches.ts'
import { type ChunkedDimension, readArray } from './read-dimensions.ts'

/** Names that dimensions of time have in many datasets. */
const timeNames = new Set([
  'time',
  'init_time',
  'initial_time',
  'valid_time',
  'reference_time',
  'forecast_reference_time',
  'forecast_date',
  'analysis_time',
  'date',
  'datetime',
])

/** The standard names that CF has for coordinates of time. Source: the CF standard name table. */
const timeStandardNames: ReadonlySet<unknown> = new Set(['time', 'forecast_reference_time'])

/** Maximum number of coordinates that are kept, for the arrays that share them. */
const maxKept = 10_000

/**
 * Chooses the dimensions along which gaps of the arrays of a snapshot are listed. "The one that grew last" would often
 * be right too, but then an answer would depend on more than its snapshot.
 */
export class AlongChooser {
  readonly #nodes: Snapshot['nodes']
  readonly #parsing: ParsingBatches
  /** Whether the coordinate at a path is a time. */
  readonly #areTimes = new Map<string, boolean>()

  constructor({ nodes }: Pick<Snapshot, 'nodes'>, parsing: ParsingBatches) {
    this.#nodes = nodes
    this.#parsing = parsing
  }

  /**
   * Returns the index of a dimension: the first that is a time by its coordinate or its name, else the first with more
   * than one position, else the first. Of an array with at most one position, no coordinate is read: it has no gaps
   * along any dimension.
   *
   * @returns null for an array without dimensions
   */
  choose(path: string, dimensions: readonly ChunkedDimension[]): number | null {
    if (dimensions.length === 0) return null
    const isSmall = dimensions.every(({ positions }) => positions <= 1)
    const time = dimensions.findIndex(
      ({ name }) => timeNames.has(name.toLowerCase()) || (!isSmall && this.#isTime(path, name)),
    )
    if (time !== -1) return time
    return Math.max(
      0,
      dimensions.findIndex(({ positions }) => positions > 1),
    )
  }

  /** Whether the array that xarray takes as the coordinate of a dimension is a time. */
  #isTime(path: string, name: string): boolean {
    if (name === '' || name.includes('/')) return false
    const parent = findParent(path) ?? ''
    const coordinate = parent === '' ? name : `${parent}/${name}`
    const known = this.#areTimes.get(coordinate)
    if (known !== undefined) return known
    const isTime = this.#readCoordinate(coordinate, name)
    if (this.#areTimes.size < maxKept) this.#areTimes.set(coordinate, isTime)
    return isTime
  }

  #readCoordinate(path: string, name: string): boolean {
    const index = this.#nodes.findIndex(path)
    if (index === undefined || this.#nodes.readKind(index) === 'group') return false
    const array = readArray(this.#nodes.readDocument(index), this.#parsing)
    return array !== undefined && isAlong(array, name) && isTimeByAttributes(array.attributes)
  }
}

function isAlong({ shape, dimensionNames }: ArrayMetadata, name: string): boolean {
  return shape.length === 1 && dimensionNames?.[0] === name
}

/** Dates have units such as `hours since 2000-01-01`; units alone, such as `hours`, are those of a duration. */
function isTimeByAttributes(attributes: JsonObject): boolean {
  const units = attributes.get('units')
  if (typeof units === 'string' && units.includes(' since ') && isTimeLike(units)) return true
  return attributes.get('axis') === 'T' || timeStandardNames.has(attributes.get('standard_name'))
}
