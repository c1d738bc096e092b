import { Allowance } from '../../../../storage/icechunk/encoding/allowance.ts'
import { damageIn } from '../../../../storage/icechunk/errors.ts'

/** An allowance for a decoder on its own; its damage names the object `memory/object`. */
export function allowanceOf({ maxInflatedBytes = 1_000_000, maxNesting = 64 } = {}): Allowance {
  return new Allowance(damageIn('memory', 'object'), { maxInflatedBytes, maxNesting })
}
