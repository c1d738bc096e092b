import { JsonNumber } from './json-value.ts'
import { formatPythonFloat } from './format-python-float.ts'

/**
 * Converts a binary float to a JSON number. `3` becomes `3.0`, so that readers which distinguish integers from floats
 * still see a float. JSON cannot express NaN and the infinities; they become null, as Icechunk's writer stores them.
 */
export function toJsonFloat(value: number): JsonNumber | null {
  return Number.isFinite(value) ? new JsonNumber(formatPythonFloat(value)) : null
}
