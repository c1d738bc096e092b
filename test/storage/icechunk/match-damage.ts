/** What a refusal must look like, for `t.throws` and `t.rejects`. */
export function matchDamage(rule: string | RegExp): { name: string; rule: string | RegExp } {
  return { name: 'DamagedObjectError', rule }
}
