// Converts object ids between bytes and text. An id is 12 random bytes, written as 20 characters of Crockford's base32,
// most significant bit first. 96 bits fill 19 characters and the top bit of the twentieth, so the last character is `0`
// or `G`. Sorting ids as bytes and sorting them as text gives the same order.
import type { ManifestId, NodeId, SnapshotId } from '../types.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

// The contract has a copy of this form, because it and storage may not import each other. A test compares the two.
const snapshotIdForm = new RegExp(`^[${alphabet}]{19}[0G]$`)

export const idBytes = 12

export const nodeIdBytes = 8

/** Parses an id: upper case, no `I`, `L`, `O` or `U`, the last four of the 100 bits zero. Otherwise undefined. */
export function parseSnapshotId(text: string): SnapshotId | undefined {
  // The type SnapshotId means that the text has this form, which was just checked.
  return snapshotIdForm.test(text) ? (text as SnapshotId) : undefined
}

/** Writes the 12 bytes at `position` as the id of a snapshot. */
export function formatSnapshotId(bytes: Uint8Array, position = 0): SnapshotId {
  // The type means the form that `formatId` writes.
  return formatId(bytes, position) as SnapshotId
}

/** Writes the 12 bytes at `position` as the id of a manifest. */
export function formatManifestId(bytes: Uint8Array, position = 0): ManifestId {
  // The type means the form that `formatId` writes.
  return formatId(bytes, position) as ManifestId
}

function formatId(bytes: Uint8Array, position: number): string {
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
  // Twelve bytes always give the canonical form: the loop above writes 19 characters, this line the last bit.
  return text + alphabet.charAt((bits << (5 - bitCount)) & 31)
}

export function decodeSnapshotId(id: SnapshotId): Uint8Array {
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

/** Reads the node id at `position`. */
export function readNodeId(bytes: Buffer, position: number): NodeId {
  // One character for each of its eight bytes, as the type says.
  return bytes.toString('latin1', position, position + nodeIdBytes) as NodeId
}
