// Reads the outline of a zstd frame without decompressing it (RFC 8878, section 3.1.1). The outline says how large the
// content can be, before memory is allocated for it. It also shows data after the frame, which a decompressor ignores.
//
//   magic 28 B5 2F FD | descriptor | window 0-1 | dictionary id 0-4 | content size 0-8 | blocks | checksum 0 or 4
//   descriptor: bits 7-6 size of content size, 5 single segment, 3 reserved, 2 checksum, 1-0 size of dictionary id
//   block header, 3 bytes: bit 0 last, bits 2-1 type (0 raw, 1 one byte repeated, 2 compressed), bits 23-3 size
import type { ObjectErrors } from '../errors.ts'

const maxBlockContent = 128 * 1024

export type ZstdFrame = {
  /** Size of the content; undefined when the frame does not say. */
  readonly contentBytes: number | undefined
  /** Upper bound for the size of the content: `contentBytes`, else 128 KiB for each block. */
  readonly maxContentBytes: number
  /** Memory that a decompressor needs in addition to the output. */
  readonly windowBytes: number
}

/** Reads the outline of a frame, which must fill `bytes` exactly and have at most `maxBlocks` blocks. */
export function readZstdFrame(bytes: Uint8Array, errors: ObjectErrors, maxBlocks: number): ZstdFrame {
  const { damage } = errors
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const descriptor = bytes[4]
  if (descriptor === undefined || view.getUint32(0, true) !== 0xfd2fb528) throw damage('it holds no zstd frame')
  if ((descriptor & 0b1000) !== 0) throw damage('its zstd frame has a reserved bit set')
  const isSingleSegment = (descriptor & 0b10_0000) !== 0
  const windowLength = isSingleSegment ? 0 : 1
  const dictionaryLength = [0, 1, 2, 4][descriptor & 3] ?? 0
  const sizeLength = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  const sizeAt = 5 + windowLength + dictionaryLength
  const blocksAt = sizeAt + sizeLength
  if (blocksAt > bytes.length) throw damage('its zstd frame is cut short')
  const contentBytes = readContentSize(view, sizeAt, sizeLength)
  const { end, count } = walkBlocks(view, blocksAt, errors, maxBlocks)
  const checksumLength = (descriptor & 0b100) !== 0 ? 4 : 0
  if (end + checksumLength > bytes.length) throw damage('its zstd frame is cut short')
  if (end + checksumLength < bytes.length) throw damage('it has data after its zstd frame')
  const windowBytes = isSingleSegment ? (contentBytes ?? 0) : computeWindowSize(view.getUint8(5))
  return { contentBytes, maxContentBytes: contentBytes ?? count * maxBlockContent, windowBytes }
}

function readContentSize(view: DataView, position: number, length: number): number | undefined {
  if (length === 0) return undefined
  if (length === 1) return view.getUint8(position)
  if (length === 2) return view.getUint16(position, true) + 256
  // Sizes above 2^53 lose digits here, but they are far above every limit.
  return length === 4 ? view.getUint32(position, true) : Number(view.getBigUint64(position, true))
}

function computeWindowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3))
  return base + (base / 8) * (descriptor & 7)
}

function walkBlocks(
  view: DataView,
  start: number,
  { damage, exceed }: ObjectErrors,
  maxBlocks: number,
): { end: number; count: number } {
  let position = start
  for (let count = 1; ; count++) {
    if (count > maxBlocks) throw exceed('maxBlocks', `its zstd frame has more than ${maxBlocks} blocks`)
    if (position + 3 > view.byteLength) throw damage('its zstd frame is cut short')
    const header = view.getUint16(position, true) | (view.getUint8(position + 2) << 16)
    const type = (header >> 1) & 3
    if (type === 3) throw damage('its zstd frame has a block of an unknown type')
    position += 3 + (type === 1 ? 1 : header >> 3)
    if ((header & 1) === 1) return { end: position, count }
  }
}
