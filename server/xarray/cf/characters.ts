// Strings stored as arrays of single characters or as encoded bytes.
import { makeFixedBytes, object } from '../data-types.ts'
import { consume, type Variable } from '../variable.ts'

/**
 * Finds the dimensions that only count characters. No variable has the name of such a dimension, it is the last
 * dimension of each array that has it, and these arrays hold fixed-width bytes. Source: `xarray/conventions.py`
 * `decode_cf_variables`, `stackable`.
 */
export function findCharacterDimensions(variables: readonly Variable[]): ReadonlySet<string | null> {
  if (!variables.some(isCharacters)) return new Set()
  const candidates = new Set(variables.flatMap(({ dimensions }) => dimensions.slice(-1)))
  for (const { name, type, dimensions } of variables) {
    candidates.delete(name)
    for (const dimension of dimensions) {
      if (type.kind !== 'S' || dimension !== dimensions.at(-1)) candidates.delete(dimension)
    }
  }
  return candidates
}

/**
 * Joins single characters along a character dimension. The result has at least one byte, because numpy has no bytes of
 * width 0. Source: `xarray/coding/strings.py` `CharacterArrayCoder.decode`.
 */
export function stackCharacters(variable: Variable, characterDimensions: ReadonlySet<string | null>): Variable {
  const last = variable.dimensions.at(-1)
  if (!isCharacters(variable) || last === undefined || !characterDimensions.has(last)) return variable
  return {
    ...variable,
    type: makeFixedBytes(Math.max(1, Number(variable.shape.at(-1)))),
    dimensions: variable.dimensions.slice(0, -1),
    shape: variable.shape.slice(0, -1),
  }
}

const isCharacters = ({ type }: Variable) => type.text === '|S1'

/** Decodes encoded bytes as text. Reading a value of any other type fails. Source: `EncodedStringCoder.decode`. */
export function decodeText(variable: Variable): Variable {
  if (!variable.attributes.has('_Encoding')) return variable
  const decoded = { ...consume(variable, '_Encoding'), type: object }
  const isBytes = variable.type.kind === 'S' || variable.type.kind === 'O'
  const isText = typeof variable.attributes.get('_Encoding') === 'string'
  if ((isBytes && isText) || variable.shape.includes(0n)) return decoded
  return { ...decoded, unreadable: 'it has an "_Encoding" and is not encoded text' }
}
