import { Allowance, type AllowanceLimits } from '../../../../storage/icechunk/encoding/allowance.ts'
import { bindErrors } from '../../../../storage/icechunk/errors.ts'
import { defaultLimits } from '../../../../storage/icechunk/limits.ts'

/** An allowance for a decoder on its own; its errors name the object `memory/object`. */
export function createAllowance(limits: Partial<AllowanceLimits> = {}): Allowance {
  const all = { ...defaultLimits, maxInflatedBytes: 1_000_000, ...limits }
  return new Allowance(bindErrors('memory', 'object', all), all)
}
