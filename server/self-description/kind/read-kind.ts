// Tells what a dataset is, such as a grid or an image, from what its metadata state.
import type { JsonObject } from '@floe/storage/json'
import type { Grid } from '../extent/axes.ts'
import { listItems } from '../extent/stac-items.ts'
import { readKindOfAttributes } from './attribute-rules.ts'
import { readGrid } from './grid-rules.ts'
import type { StatedKind } from './stated-kind.ts'
import { readKindOfVariables } from './variable-rules.ts'

/** Reads what the attributes of one group state. */
export function readOwnKind(attributes: JsonObject): StatedKind | null {
  return readKindOfAttributes(attributes) ?? readScene(attributes)
}

/**
 * Finds the kind: that of the nearest group that states one. Coordinates that make a grid count last, because scenes
 * and images lie on grids too.
 *
 * @param own what the groups state, the nearest first
 * @param dataset the arrays of the group
 */
export function findKind(
  [nearest = null, ...above]: readonly (StatedKind | null)[],
  dataset?: Grid,
): StatedKind | null {
  const ofVariables = nearest === null && dataset ? readKindOfVariables(dataset) : null
  const stated = nearest ?? ofVariables ?? above.find((kind) => kind !== null)
  return stated ?? (dataset ? readGrid(dataset) : null)
}

/** Reads an item of STAC that names its satellite. Source: STAC 1.1, common metadata of instruments. */
function readScene(attributes: JsonObject): StatedKind | null {
  for (const { attributes: item, path, isOfStac } of listItems(attributes)) {
    const name = ['platform', 'constellation', 'instruments'].find((member) => item.has(member))
    if (!isOfStac || name === undefined) continue
    const platform = item.get(name)
    const of = typeof platform === 'string' && platform.length <= 50 ? ` of ${platform}` : ''
    return { kind: 'scene', text: `scene${of}`, attribute: `${path}${name}` }
  }
  return null
}
