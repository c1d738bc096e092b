import { Allowance, type AllowanceLimits } from '../../../../../storage/repositories/icechunk/encoding/allowance.ts'
import { bindErrors } from '../../../../../storage/repositories/icechunk/errors.ts'
import { defaultLimits } from '../../../../../storage/repositories/icechunk/limits.ts'

/** An allowance for testing a decoder alone. Its errors name the object `memory/object`. */
export function createAllowance(limits: Partial<AllowanceLimits> = {}): Allowance {
  const all = { ...defaultLimits, maxInflatedBytes: 1_000_000, ...limits }
  return new Allowance(bindErrors('memory', 'object', all), all)
}
