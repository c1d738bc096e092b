// Finds the box of a dataset among what its group, its variables and the groups above state.
import type { JsonObject } from '@floe/storage/json'
import { type Footprint, readFootprint, readSizes, type Shape, spanFootprint } from './projection/footprint.ts'
import { readGribGrid } from './projection/grib-grid.ts'
import { projectFootprint } from './projection/project-footprint.ts'
import { readReferenceSystem, type ReferenceSystem } from './projection/reference-system.ts'
import type { DecodedVariable } from '../xarray/dataset.ts'
import { countLongitudes, type Grid } from './extent/axes.ts'
import { type Box, closeBox, makeBox, type StatedBox } from './extent/box.ts'
import { readBoxOfCoordinates } from './extent/coordinate-ranges.ts'
import { makeStatedBox, readBoxOfEdges, readBoxOfGeometry, readBoxOfGroup } from './extent/read-box.ts'
import { listItems, type StatedItem } from './extent/stac-items.ts'

/** What the attributes of one group state about its area. */
export type OwnArea = {
  readonly box: StatedBox | null
  /** In the coordinates of a reference system. */
  readonly footprint: Footprint | null
  readonly geometry: StatedBox | null
  readonly system: ReferenceSystem | null
}

/** An area as it is stated, in the coordinates of a reference system that has a code. */
type StatedProjection = { readonly code: string; readonly footprint: Footprint }

export type Area = {
  /** Null where no box is known. */
  readonly bbox: Box | null
  /** The attribute that states the box. */
  readonly areaAttribute: string | null
  /** Absent where the area is not stated in such a system. */
  readonly projection?: StatedProjection
}

/** Reads what the attributes of a group state. */
export function readOwnArea(attributes: JsonObject): OwnArea {
  const items = listItems(attributes)
  const first = <Fact>(facts: readonly (Fact | null)[]) => facts.find((fact) => fact !== null) ?? null
  return {
    box: readBoxOfGroup(attributes),
    footprint: first(items.map(locateFootprint)),
    geometry: readBoxOfGeometry(attributes),
    system: first(items.map((item) => readReferenceSystem(item.attributes))),
  }
}

function locateFootprint({ attributes, path }: StatedItem): Footprint | null {
  const footprint = readFootprint(attributes, null, path !== '')
  return footprint && { ...footprint, attribute: path + footprint.attribute }
}

/** Finds the area: that of the nearest group that states one. */
export function findArea(chain: readonly OwnArea[], dataset?: Grid): Area {
  const finder = new AreaFinder()
  for (const [level, own] of chain.entries()) {
    const above = chain.slice(level).find(({ system }) => system !== null)?.system ?? null
    const grid = level === 0 && dataset ? new StatedGrid(dataset, own, above) : null
    const longitudes = grid === null ? undefined : countLongitudes(grid.dataset)
    finder.take(own.box, longitudes)
    const footprint = own.footprint ?? grid?.readFootprint() ?? null
    finder.takeFootprint(footprint, grid?.system ?? above, longitudes)
    finder.take(own.geometry, longitudes)
    for (const { box, footprint, system } of grid?.listVariables() ?? []) {
      if (finder.isDone) break
      finder.take(box, longitudes)
      finder.takeFootprint(footprint, system, longitudes)
    }
    finder.take(grid && readBoxOfCoordinates(grid.dataset), longitudes)
    if (finder.area.bbox !== null) break
  }
  return finder.area
}

/** Number of areas of a dataset that are projected: the first ones. */
const maxProjected = 8

/** Keeps the first box that is found, and the first area in a system with a code. */
class AreaFinder {
  area: Area = { bbox: null, areaAttribute: null }
  #projected = 0

  get isDone(): boolean {
    return this.area.bbox !== null && this.area.projection !== undefined
  }

  take(stated: StatedBox | null, longitudes: number | undefined): void {
    if (stated !== null) this.#set(closeBox(stated.box, longitudes), stated.attribute)
  }

  #set(bbox: Box | null, areaAttribute: string): void {
    if (this.area.bbox === null && bbox !== null) this.area = { ...this.area, bbox, areaAttribute }
  }

  takeFootprint(footprint: Footprint | null, system: ReferenceSystem | null, longitudes: number | undefined): void {
    if (footprint === null || system === null) return
    const { code } = system
    if (code !== null) this.area = { ...this.area, projection: this.area.projection ?? { code, footprint } }
    if (this.area.bbox !== null) return
    const box = system.kind === 'degrees' ? boundDegrees(footprint) : null
    this.take(box && { box, attribute: footprint.attribute }, longitudes)
    if (system.kind !== 'projected' || ++this.#projected > maxProjected) return
    this.#set(projectFootprint(spanFootprint(footprint), system), footprint.attribute)
  }
}

function boundDegrees(footprint: Footprint): Box | null {
  if (footprint.kind === 'box') return makeStatedBox(footprint.edges, footprint.isOfProduct)
  const { corner, across, down } = spanFootprint(footprint)
  const span = (axis: 0 | 1) => {
    const ends = [corner[axis] + Math.min(0, across[axis]), corner[axis] + Math.max(0, across[axis])]
    return [Math.min(...ends) + Math.min(0, down[axis]), Math.max(...ends) + Math.max(0, down[axis])] as const
  }
  const [[west, east], [south, north]] = [span(0), span(1)]
  // The outer edges of cells whose centres are poles lie half a cell beyond them.
  const [, , , d, e] = footprint.transform
  const cell = Math.abs(d) + Math.abs(e)
  const limit = (latitude: number) => (Math.abs(latitude) - 90 <= cell ? Math.max(-90, Math.min(90, latitude)) : NaN)
  return makeBox([west, limit(south), east, limit(north)])
}

/** Number of variables whose attributes are read for an area: the first ones. */
const maxVariables = 1_000

type StatedVariable = { box: StatedBox | null; footprint: Footprint | null; system: ReferenceSystem | null }

/** What the variables of a group state: areas, and the reference systems of grid mappings. */
class StatedGrid {
  readonly dataset: Grid
  /** That of the group, else its only grid mapping, else that of a group above. */
  readonly system: ReferenceSystem | null
  readonly #variables: readonly DecodedVariable[]
  readonly #mappings: ReadonlyMap<string, ReferenceSystem>
  /** The variables on each grid mapping, by its name. */
  readonly #mapped: ReadonlyMap<string | null, readonly DecodedVariable[]>
  /** The rows and columns of the first variable that has both. */
  readonly #sizes: Shape | null

  constructor(dataset: Grid, { system }: OwnArea, above: ReferenceSystem | null) {
    this.dataset = dataset
    this.#variables = dataset.variables.slice(0, maxVariables)
    this.#mappings = new Map(
      this.#variables.flatMap((variable) => {
        const system = isMapping(variable) ? readReferenceSystem(variable.attributes) : null
        return system === null ? [] : [[variable.name, system] as const]
      }),
    )
    const [only, ...others] = this.#mappings.values()
    this.system = system ?? (others.length === 0 ? only : undefined) ?? above
    this.#mapped = Map.groupBy(this.#variables, readMappingName)
    this.#sizes = findSizes(this.#variables)
  }

  /** Reads a transform of the group for the shape of its variables. */
  readFootprint(): Footprint | null {
    return this.#sizes && readFootprint(this.dataset.attributes, this.#sizes)
  }

  *listVariables(): Generator<StatedVariable> {
    for (const variable of this.#variables) {
      const { name, attributes } = variable
      const mapped = this.#mappings.get(readMappingName(variable) ?? '')
      const system = this.#mappings.get(name) ?? readReferenceSystem(attributes) ?? mapped ?? this.system
      const sizes = isMapping(variable) ? this.#findSizes(name) : readSizes(variable)
      yield { box: readBoxOfEdges(attributes), footprint: readFootprint(attributes, sizes), system }
    }
    // The variables of a message of GRIB are on one grid.
    const ofGrib = this.#variables.find(({ attributes }) => attributes.has('GRIB_gridType'))
    const grid = ofGrib ? readGribGrid(ofGrib.attributes) : null
    if (grid !== null) yield grid
  }

  /** Finds the rows and columns of the variables on a grid mapping. The only mapping can be that of all. */
  #findSizes(mapping: string): Shape | null {
    const mapped = this.#mapped.get(mapping)
    if (mapped !== undefined) return findSizes(mapped)
    return this.#mappings.size === 1 ? this.#sizes : null
  }
}

/** Finds the rows and columns of the first of these variables that has both. */
function findSizes(variables: readonly DecodedVariable[]): Shape | null {
  return (
    variables
      .values()
      .map(readSizes)
      .find((sizes) => sizes !== null) ?? null
  )
}

/** Whether a variable can be a grid mapping: one without dimensions, or with the attributes that CF or GDAL write. */
function isMapping({ shape, attributes }: DecodedVariable): boolean {
  const names = ['grid_mapping_name', 'crs_wkt', 'spatial_ref', 'GeoTransform']
  return shape.length === 0 || names.some((name) => attributes.has(name))
}

/** Names the grid mapping of a variable. CF also has `mapping: x y`, with the coordinates of each. */
function readMappingName({ attributes, encoding }: DecodedVariable): string | null {
  const stated = attributes.get('grid_mapping') ?? encoding.get('grid_mapping')
  return typeof stated === 'string' ? (/^\s{0,9}([^\s:]{1,200})/.exec(stated)?.[1] ?? null) : null
}
