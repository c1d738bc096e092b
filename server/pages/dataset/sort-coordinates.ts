import type { DecodedDataset, DecodedVariable } from '../../xarray/dataset.ts'

/**
 * Coordinates in the order xarray prints them: by dimension, each dimension's own coordinate first, then those whose last
 * dimension it is; scalars at the end. Equal ranks keep their order. Source: `_coord_sort_key` in `xarray.core.formatting`.
 */
export function sortCoordinates(dataset: DecodedDataset): DecodedVariable[] {
  const positions = new Map([...dataset.dimensions.keys()].map((name, position) => [name, position]))
  const rank = (variable: DecodedVariable): number => {
    const own = positions.get(variable.name)
    if (own !== undefined) return 2 * own
    const last = variable.dimensions.at(-1)
    return 2 * ((last === undefined ? undefined : positions.get(last)) ?? positions.size) + 1
  }
  return dataset.variables.filter((variable) => variable.isCoordinate).sort((a, b) => rank(a) - rank(b))
}
