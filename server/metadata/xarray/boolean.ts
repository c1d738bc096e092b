import { bool } from './data-types.ts'
import { consume, type Variable } from './variable.ts'

/** The last coder, and so blind to everything before it. Source: `xarray/coding/variables.py` `BooleanCoder.decode`. */
export function decodeBoolean(variable: Variable): Variable {
  return variable.attributes.get('dtype') === 'bool' ? { ...consume(variable, 'dtype'), type: bool } : variable
}
