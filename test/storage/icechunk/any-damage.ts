import fc from 'fast-check'

/** Content with some bytes changed, and in a quarter of the cases cut off. */
export function anyDamage(payload: Uint8Array): fc.Arbitrary<Buffer> {
  const patch = fc.uint8Array({ minLength: 1, maxLength: 4 })
  return fc.tuple(fc.nat(payload.length - 1), patch, fc.nat(payload.length)).map(([position, bytes, cut]) => {
    const copy = Buffer.from(payload)
    copy.set(bytes.subarray(0, copy.length - position), position)
    return cut % 4 === 0 ? copy.subarray(0, cut) : copy
  })
}
