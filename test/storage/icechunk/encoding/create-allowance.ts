import { Allowance } from '../../../../storage/icechunk/encoding/allowance.ts'
import { bindDamage } from '../../../../storage/icechunk/errors.ts'

/** An allowance for a decoder on its own; its damage names the object `memory/object`. */
export function createAllowance({ maxInflatedBytes = 1_000_000, maxNesting = 64 } = {}): Allowance {
  return new Allowance(bindDamage('memory', 'object'), { maxInflatedBytes, maxNesting })
}
