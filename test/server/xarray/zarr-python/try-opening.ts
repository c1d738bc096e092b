// Tries to open an array with a given document, and makes parts of such documents.
import { type ArrayText, decodeArrays } from '../zarr-group.ts'

export const little = { name: 'bytes', configuration: { endian: 'little' } }
export const makeGrid = (...chunk_shape: readonly number[]) => ({ name: 'regular', configuration: { chunk_shape } })
export const makeCodec = (name: string, configuration?: object) =>
  configuration === undefined ? { name } : { name, configuration }
export const struct = { name: 'struct', configuration: { fields: [{ name: 'a', data_type: 'int8' }] } }
export const makeSizedType = (name: string) => ({ name, configuration: { length_bytes: 4 } })
export const makeTimeType = (name: string) => ({ name: `numpy.${name}`, configuration: { unit: 's', scale_factor: 1 } })

export function tryOpening(array: ArrayText): string {
  try {
    return decodeArrays({ v: array }).variables.length === 1 ? 'opened' : 'left out'
  } catch (error) {
    return error instanceof Error && error.name === 'CannotDecodeError' ? 'refused' : String(error)
  }
}

export const tryMembers = (members: Record<string, unknown>) => tryOpening({ members })
export const tryCodecs = (...codecs: readonly unknown[]) => tryMembers({ codecs })
