import { Allowance } from '../../../../storage/icechunk/encoding/allowance.ts'
import { bindDamage } from '../../../../storage/icechunk/errors.ts'

/** Creates an allowance for the test of one decoder. Its errors name the object `memory/object`. */
export function createAllowance({ maxInflatedBytes = 1_000_000, maxNesting = 64 } = {}): Allowance {
  return new Allowance(bindDamage('memory', 'object'), { maxInflatedBytes, maxNesting })
}
