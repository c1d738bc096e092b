import { JsonNumber } from './json-value.ts'
import { pythonFloat } from './python-float.ts'

/**
 * A binary float as JSON spells it: `3` becomes `3.0`, so that it stays a float to every reader that tells the two
 * apart. NaN and the infinities, for which JSON has no text, are null, as Icechunk's writer stores them.
 */
export function toJsonFloat(value: number): JsonNumber | null {
  return Number.isFinite(value) ? new JsonNumber(pythonFloat(value)) : null
}
