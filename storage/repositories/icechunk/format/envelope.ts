// Reads the header of Icechunk's binary objects. The format version is that of the file, not of the repository: a
// repository that was migrated to version 2 keeps its snapshot files of version 1.
//
//   offset  length  content
//        0      12  magic: UTF-8 of ICE, U+1F9CA, CHUNK
//       12      24  name of the writer, padded with spaces; not needed to read
//       36       1  format version: 1 or 2
//       37       1  kind of object: 1 snapshot, 2 manifest, 4 transaction log, 6 repo (others are never read)
//       38       1  compression: 0 none, 1 zstd
//       39          FlatBuffers, compressed as stated; one zstd frame, with or without content size
import { promisify } from 'node:util'
import { zstdDecompress, zstdDecompressSync, type ZstdOptions } from 'node:zlib'
import { bindErrors, type ObjectErrors, UnsupportedFormatError } from '../errors.ts'
import type { ReaderLimits } from '../limits.ts'
import type { FormatVersion } from '../types.ts'
import { readZstdFrame } from '../encoding/zstd-frame.ts'

const magic = Buffer.from('ICE\u{1F9CA}CHUNK')
const headerLength = 39

/** Up to this size, in bytes, frames are decompressed on this thread. Another thread would take longer. */
const maxInflatedInPlace = 512 * 1024
const inflateOnThread = promisify(zstdDecompress)

const objectKinds = { snapshot: 1, manifest: 2, 'transaction log': 4, repo: 6 } as const
export type ObjectKind = keyof typeof objectKinds

/** An object as stored, with its location for error messages. */
export type StoredFile = { readonly repository: string; readonly key: string; readonly bytes: Uint8Array }

export type Envelope = {
  readonly formatVersion: FormatVersion
  readonly payload: Uint8Array
  readonly errors: ObjectErrors
}

/**
 * Checks the header and decompresses the rest. Throws {@link UnsupportedFormatError} for an unknown version,
 * {@link DamagedObjectError} when the object breaks another rule of the format, and {@link LimitExceededError}.
 */
export async function openEnvelope(file: StoredFile, kind: ObjectKind, limits: ReaderLimits): Promise<Envelope> {
  const { repository, key, bytes } = file
  const errors = bindErrors(repository, key, limits)
  const { damage } = errors
  if (bytes.length < headerLength)
    throw damage(`it has ${bytes.length} bytes; the header of an Icechunk object has ${headerLength}`)
  if (magic.compare(bytes, 0, magic.length) !== 0) throw damage('it does not begin like an Icechunk object')
  const formatVersion = bytes[36] ?? 0
  if (formatVersion !== 1 && formatVersion !== 2) throw new UnsupportedFormatError(repository, key, formatVersion)
  const expected = objectKinds[kind]
  if (bytes[37] !== expected) throw damage(`its header says kind ${bytes[37]}, not ${expected} (${kind})`)
  const limit = kind === 'manifest' ? 'maxInflatedManifestBytes' : 'maxInflatedBytes'
  const payload = await unpack(bytes[38] ?? 0, bytes.subarray(headerLength), { limits, limit, errors })
  return { formatVersion, payload, errors }
}

/** The limits of an object, and which of them is for its size after decompression. */
type Bounds = {
  readonly limits: ReaderLimits
  readonly limit: 'maxInflatedBytes' | 'maxInflatedManifestBytes'
  readonly errors: ObjectErrors
}

async function unpack(compression: number, body: Uint8Array, bounds: Bounds): Promise<Uint8Array> {
  const { limits, limit, errors } = bounds
  if (compression > 1) throw errors.damage(`its compression ${compression} is unknown`)
  if (compression === 1) return inflate(body, bounds)
  if (body.length > limits[limit]) throw errors.exceed(limit, `it is larger than ${limits[limit]} bytes`)
  return body
}

async function inflate(body: Uint8Array, { limits, limit, errors }: Bounds): Promise<Uint8Array> {
  const maxOutputLength = limits[limit]
  const tooLarge = (options?: { readonly cause?: unknown }) =>
    errors.exceed(limit, `it decompresses to more than ${maxOutputLength} bytes`, options)
  const frame = readZstdFrame(body, errors, limits.maxBlocks)
  if (Math.max(frame.contentBytes ?? 0, frame.windowBytes) > maxOutputLength) {
    throw tooLarge()
  }
  const isSmall = Math.max(body.length, frame.maxContentBytes) <= maxInflatedInPlace
  // One byte more than the content. With a full buffer, zlib would allocate another one to find the end of the data.
  const options: ZstdOptions = { maxOutputLength, chunkSize: Math.max(64, (frame.contentBytes ?? 64 * 1024) + 1) }
  try {
    return isSmall ? zstdDecompressSync(body, options) : await inflateOnThread(body, options)
  } catch (cause) {
    const isTooLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
    throw isTooLarge ? tooLarge({ cause }) : errors.damage('its zstd frame is broken', { cause })
  }
}
