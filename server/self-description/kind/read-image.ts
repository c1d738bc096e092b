// Reads an image of OME-Zarr. Source: NGFF 0.4, whose attributes are those of the group, and 0.5, which has them in
// `ome`.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@floe/storage/json'
import type { StatedKind } from './stated-kind.ts'

/** Number of axes and of multiscale images that are read: the first ones. NGFF allows five axes. */
const maxListed = 10

/** Reads a group with a multiscale image. The convention `multiscales` of Zarr has an object with this name. */
export function readImage(attributes: JsonObject): StatedKind | null {
  const ome = attributes.get('ome')
  const own = isJsonObject(ome) ? ome : attributes
  const multiscales = own.get('multiscales')
  const first = isJsonArray(multiscales) ? multiscales.slice(0, maxListed).find(isJsonObject) : undefined
  const datasets = first?.get('datasets')
  if (first === undefined || !isJsonArray(datasets)) return null
  const name = own.has('image-label') ? 'label image' : 'image'
  return {
    kind: 'image',
    text: [
      datasets.length > 1 ? `multiscale ${name}, ${datasets.length} levels` : name,
      ...describeAxes(first.get('axes')),
      ...describeChannels(own.get('omero')),
    ].join(', '),
    attribute: own === attributes ? 'multiscales' : 'ome',
  }
}

/** Writes `z in nanometer` and `y and x in micrometer`: the axes of space by their units. */
function describeAxes(stated: JsonValue | undefined): readonly string[] {
  const axes = isJsonArray(stated) ? stated.slice(0, maxListed).filter(isJsonObject) : []
  const names = new Map<string, string[]>()
  for (const axis of axes) {
    const [name, unit] = [axis.get('name'), axis.get('unit')]
    if (axis.get('type') !== 'space' || !isWord(name) || !isWord(unit)) continue
    names.set(unit, [...(names.get(unit) ?? []), name])
  }
  return [...names].map(([unit, [last = '', ...others]]) => {
    const all = [last, ...others]
    const end = all.pop() ?? ''
    return `${all.length === 0 ? end : `${all.join(', ')} and ${end}`} in ${unit}`
  })
}

function isWord(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && /^\w{1,30}$/.test(value)
}

function describeChannels(omero: JsonValue | undefined): readonly string[] {
  const channels = isJsonObject(omero) ? omero.get('channels') : undefined
  const count = isJsonArray(channels) ? channels.length : 0
  return count === 0 ? [] : [count === 1 ? '1 channel' : `${count} channels`]
}
