import type { ReaderLimits } from '../../../storage/icechunk/index.ts'

/** What a refusal of a damaged object must look like, for `t.throws` and `t.rejects`. */
export function matchDamage(rule: string | RegExp): { name: string; rule: string | RegExp } {
  return { name: 'DamagedObjectError', rule }
}

/** What a refusal of an object beyond a limit must look like. */
export function matchExcess(
  limit: keyof ReaderLimits,
  message: RegExp = /./,
): { name: string; limit: string; message: RegExp } {
  return { name: 'LimitExceededError', limit, message }
}
