// Tells whether arrays lie on a grid, from their coordinates.
import { isJsonArray, type JsonObject } from '@floe/storage/json'
import type { DecodedVariable } from '../../xarray/dataset.ts'
import { type Grid, isLatitude, isLongitude } from '../extent/axes.ts'
import type { StatedKind } from './stated-kind.ts'

/** Number of variables whose attributes are read: the first ones. */
const maxVariables = 1_000

type Test = (variable: DecodedVariable) => boolean

const isNamed =
  (name: string, value: string): Test =>
  ({ attributes }) =>
    attributes.get(name) === value

/** Coordinates that make a grid, and the attribute that tells them. Source: CF 1.11, chapter 4 and section 5.6. */
const pairs: readonly (readonly [attribute: string, isOfRows: Test, isOfColumns: Test])[] = [
  ['standard_name', isNamed('standard_name', 'latitude'), isNamed('standard_name', 'longitude')],
  ['units', isLatitude, isLongitude],
  [
    'standard_name',
    isNamed('standard_name', 'projection_y_coordinate'),
    isNamed('standard_name', 'projection_x_coordinate'),
  ],
  ['standard_name', isNamed('standard_name', 'grid_latitude'), isNamed('standard_name', 'grid_longitude')],
  ['axis', isNamed('axis', 'Y'), isNamed('axis', 'X')],
]

/** Reads whether a variable has two dimensions whose coordinates make a grid, or a convention states such a grid. */
export function readGrid({ variables, attributes }: Pick<Grid, 'variables' | 'attributes'>): StatedKind | null {
  const listed = variables.slice(0, maxVariables)
  const axes = listed.filter(({ isIndexed }) => isIndexed)
  for (const [attribute, isOfRows, isOfColumns] of pairs) {
    const [rows, columns] = [axes.find(isOfRows), axes.find(isOfColumns)]
    const isGrid = listed.some(
      ({ dimensions }) => rows && columns && dimensions.includes(rows.name) && dimensions.includes(columns.name),
    )
    if (rows && columns && isGrid) return { kind: 'grid', text: describeGrid(rows.name, columns.name), attribute }
  }
  return readConvention(attributes) ?? readCurvilinear(attributes, listed)
}

function describeGrid(rows: string, columns: string): string {
  const isShort = rows.length <= 30 && columns.length <= 30
  return isShort ? `grid, ${rows} and ${columns}`.toWellFormed() : 'grid'
}

/** Source: the convention `spatial` of Zarr. */
function readConvention(attributes: JsonObject): StatedKind | null {
  const attribute = ['spatial:dimensions', 'spatial:shape', 'spatial:transform'].find((name) => attributes.has(name))
  if (attribute === undefined) return null
  const stated = attributes.get('spatial:dimensions')
  const names = isJsonArray(stated) ? stated.slice(-2).filter((name) => typeof name === 'string') : []
  const [rows, columns] = names
  return { kind: 'grid', text: rows && columns ? describeGrid(rows, columns) : 'grid', attribute }
}

/** A model's own grid, whose latitudes have two dimensions. Source: global attributes of CMIP6 and CMIP7. */
function readCurvilinear(attributes: JsonObject, variables: readonly DecodedVariable[]): StatedKind | null {
  const hasPlaces = variables.some(isLatitude) && variables.some(isLongitude)
  return hasPlaces && attributes.has('grid_label') ? { kind: 'grid', text: 'grid', attribute: 'grid_label' } : null
}
