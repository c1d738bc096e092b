// Names of objects: 12 random bytes as 20 characters of Crockford's base32, most significant bit first. 96 bits fill 19
// characters and the top bit of the twentieth, so that one is `0` or `G`. Byte order is the order of the texts.
import type { SnapshotId } from './types.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const snapshotIdForm = new RegExp(`^[${alphabet}]{19}[0G]$`)

/** Bytes of an id as stored. */
export const idBytes = 12

/**
 * Reads an id in its one canonical form: upper case, no `I`, `L`, `O` or `U`, the four bits beyond the 96 zero.
 * Undefined for every other text.
 */
export function parseSnapshotId(text: string): SnapshotId | undefined {
  // The brand means that the text has this form.
  return snapshotIdForm.test(text) ? (text as SnapshotId) : undefined
}

/** The text of the 12 bytes at `position`. */
export function formatSnapshotId(bytes: Uint8Array, position = 0): SnapshotId {
  let text = ''
  let bits = 0
  let bitCount = 0
  for (let i = 0; i < idBytes; i++) {
    bits = (bits << 8) | (bytes[position + i] ?? 0)
    bitCount += 8
    while (bitCount >= 5) {
      bitCount -= 5
      text += alphabet.charAt((bits >> bitCount) & 31)
    }
    bits &= 31
  }
  // Twelve bytes always give the canonical form: 19 characters above, and the last bit here.
  return (text + alphabet.charAt((bits << (5 - bitCount)) & 31)) as SnapshotId
}

/** The 12 bytes of an id. */
export function snapshotIdBytes(id: SnapshotId): Uint8Array {
  const bytes = new Uint8Array(idBytes)
  let bits = 0
  let bitCount = 0
  let position = 0
  for (const character of id) {
    bits = (bits << 5) | alphabet.indexOf(character)
    bitCount += 5
    if (bitCount < 8) continue
    bitCount -= 8
    bytes[position++] = (bits >> bitCount) & 255
    bits &= (1 << bitCount) - 1
  }
  return bytes
}
