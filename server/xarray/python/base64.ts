const alphabet = /[A-Za-z0-9+/]/

/**
 * Decodes base64 like Python's `base64.b64decode`: it skips characters outside the alphabet and stops at the padding. Undefined if the
 * last group is not complete. Source: CPython, `binascii.a2b_base64`.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  let digits = ''
  let padding = 0
  for (const character of text) {
    const filled = digits.length % 4
    if (character.charCodeAt(0) > 0x7f) return undefined
    if (character === '=' && filled >= 2) {
      padding += 1
      if (filled + padding >= 4) return Buffer.from(digits, 'base64')
    } else if (alphabet.test(character)) {
      digits += character
      padding = 0
    }
  }
  return digits.length % 4 === 0 ? Buffer.from(digits, 'base64') : undefined
}
