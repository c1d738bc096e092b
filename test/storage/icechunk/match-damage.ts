/** Returns the pattern of a DamagedObjectError with this rule, for `t.throws` and `t.rejects`. */
export function matchDamage(rule: string | RegExp): { name: string; rule: string | RegExp } {
  return { name: 'DamagedObjectError', rule }
}
