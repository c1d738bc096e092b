import type { DecodedVariable } from './dataset.ts'
import { CannotDecodeError } from './variable.ts'

/** Collects the sizes of all dimensions, ordered by first appearance. Source: `xarray/core/dataset.py` and `xarray/structure/merge.py`. */
export function collectDimensions(variables: readonly DecodedVariable[]): ReadonlyMap<string | null, bigint> {
  const sizes = new Map<string | null, bigint>()
  for (const { name, dimensions, shape } of variables) {
    for (const [index, dimension] of dimensions.entries()) {
      const size = shape[index] ?? 0n
      const known = sizes.get(dimension) ?? size
      if (known !== size) {
        const rule = `dimension ${JSON.stringify(dimension)} has ${size} elements here and ${known} elsewhere`
        throw new CannotDecodeError(name, rule)
      }
      sizes.set(dimension, size)
    }
  }
  const scalar = variables.find(({ name, dimensions }) => dimensions.length === 0 && sizes.has(name))
  if (scalar !== undefined) throw new CannotDecodeError(scalar.name, 'it is a scalar with the name of a dimension')
  return sizes
}
