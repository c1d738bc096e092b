// Describes the cells of a discrete global grid system.
import type { JsonObject, JsonValue } from '@floe/storage/json'
import { readNumber, takeSingle } from '../extent/single-value.ts'

/**
 * Writes `cells of healpix, level 10, nested`. Sources of the names: the convention `dggs` of Zarr and CF 1.13
 * (`refinement_level`, `indexing_scheme`), easygems (`healpix_nside`, `healpix_order`), xdggs (`level`).
 */
export function describeCells(attributes: JsonObject, name: JsonValue | undefined): string {
  const read = (...names: readonly string[]) =>
    names.map((one) => takeSingle(attributes.get(one))).find((value) => value !== undefined)
  const system = readWord(name)
  const stated = readNumber(read('refinement_level', 'level'))
  const level = Number.isNaN(stated) ? Math.log2(readNumber(read('healpix_nside', 'nside'))) : stated
  const order = readWord(read('indexing_scheme', 'healpix_order'))
  return [
    system === null ? 'cells of a global grid' : `cells of ${system}`,
    ...(Number.isInteger(level) ? [`level ${level}`] : []),
    ...(order === null ? [] : [order === 'nest' ? 'nested' : order]),
  ].join(', ')
}

function readWord(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && /^[\w-]{1,30}$/.test(value) ? value : null
}
