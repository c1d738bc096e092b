import { bool } from '../data-types.ts'
import { consume, type Variable } from '../variable.ts'

/**
 * Decodes booleans. Must run last, because it overrides the type that earlier coders set.
 * Source: `xarray/coding/variables.py` `BooleanCoder.decode`.
 */
export function decodeBoolean(variable: Variable): Variable {
  if (variable.attributes.get('dtype') !== 'bool') return variable
  const decoded = { ...consume(variable, 'dtype'), type: bool }
  const isRecord = (variable.type.fields?.length ?? 0) > 1
  return isRecord ? { ...decoded, unreadable: 'records have no truth value' } : decoded
}
