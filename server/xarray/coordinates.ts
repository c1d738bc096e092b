// Which variables are coordinates, and in what order xarray keeps the variables of a dataset.
import type { JsonObject } from '@floe/storage/json'
import { splitAtSpace } from './python/space.ts'
import { CannotDecodeError, type Variable, omit } from './variable.ts'

/** What is left of the attributes, and the names that a `coordinates` attribute listed. */
export type ListedCoordinates = { readonly attributes: JsonObject; readonly names: Iterable<string> }

/** Takes the `coordinates` attribute of a decoded variable. Source: `xarray/conventions.py` `decode_cf_variables`. */
export function takeListedCoordinates(variable: Variable): ListedCoordinates {
  const { name, attributes } = variable
  if (!attributes.has('coordinates')) return { attributes, names: [] }
  const listed = attributes.get('coordinates')
  if (typeof listed !== 'string') throw new CannotDecodeError(name, 'its "coordinates" is not text')
  return { attributes: omit(attributes, 'coordinates'), names: splitAtSpace(listed) }
}

/** Takes the `coordinates` attribute of a group, unless it is not text. Source: the end of `decode_cf_variables`. */
export function takeListedGroupCoordinates(attributes: JsonObject): ListedCoordinates {
  const listed = attributes.get('coordinates')
  if (typeof listed !== 'string') return { attributes, names: [] }
  return { attributes: omit(attributes, 'coordinates'), names: splitAtSpace(listed) }
}

/** Whether a variable's only dimension is itself: a coordinate with an index. */
export function isDimensionCoordinate({ name, dimensions }: Variable): boolean {
  return dimensions.length === 1 && dimensions[0] === name
}
