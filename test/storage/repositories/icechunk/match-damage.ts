import type { ReaderLimits } from '../../../../storage/repositories/icechunk/index.ts'

/** Returns the pattern of a DamagedObjectError with this rule, for `t.throws` and `t.rejects`. */
export function matchDamage(rule: string | RegExp): { name: string; rule: string | RegExp } {
  return { name: 'DamagedObjectError', rule }
}

/** Returns the pattern of a LimitExceededError about this limit. */
export function matchExcess(
  limit: keyof ReaderLimits,
  message: RegExp = /./,
): { name: string; limit: string; message: RegExp } {
  return { name: 'LimitExceededError', limit, message }
}
