/** Contains 1 at the character codes of the base64 alphabet. */
const isDigit = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/') {
  isDigit[character.charCodeAt(0)] = 1
}
const equals = 0x3d

/**
 * Decodes base64 like Python's `base64.b64decode`: it skips characters outside the alphabet and stops at the padding.
 * Undefined if the last group is not complete. Source: CPython, `binascii.a2b_base64`.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const digits = Buffer.alloc(text.length)
  const decode = () => Buffer.from(digits.toString('latin1', 0, count), 'base64')
  let count = 0
  let padding = 0
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code > 0x7f) return undefined
    const filled = count % 4
    if (code === equals && filled >= 2) {
      padding += 1
      if (filled + padding >= 4) return decode()
    } else if (isDigit[code] === 1) {
      digits[count] = code
      count += 1
      padding = 0
    }
  }
  return count % 4 === 0 ? decode() : undefined
}
