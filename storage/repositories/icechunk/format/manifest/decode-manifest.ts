// Reads a manifest (kind 2): where the chunks of arrays are. Which chunks it names, their bytes, and the files of
// virtual ones are of interest here. Chunks can be inside of it; they are skipped.
//
//   Manifest       slot 0 id · 1 [ArrayManifest], sorted by the bytes of their node ids
//   ArrayManifest  slot 0 id of the node · 1 [ChunkRef], sorted by position
import type { Cancellation } from '../../../json/index.ts'
import { Allowance } from '../../encoding/allowance.ts'
import { openFlatBuffer } from '../../encoding/flatbuffers.ts'
import { defaultLimits, type ReaderLimits } from '../../limits.ts'
import type { ManifestId } from '../../types.ts'
import { openEnvelope, type StoredFile } from '../envelope.ts'
import { formatManifestId, idBytes, nodeIdBytes, readNodeId } from '../object-id.ts'
import { compareBytes } from '../snapshot/compare-bytes.ts'
import { type AskedFiles, measureFiles } from './chunk-files.ts'
import type { ManifestArray, ManifestChunks } from './manifest-chunks.ts'
import { ReferenceReader } from './read-references.ts'

/** The fields of an `ArrayManifest`, and their places in this list. */
const fields = [
  { slot: 0, size: nodeIdBytes },
  { slot: 1, size: 4 },
]
const [nodeField, referencesField] = [0, 1]

/** Memory of an array besides its bits, in bytes, and of each of its dimensions. */
const arrayBytes = 600
const dimensionBytes = 16

type DecodeOptions = {
  readonly cancellation?: Cancellation | undefined
  /** Which files of virtual chunks to list. Default: none. */
  readonly files?: AskedFiles | undefined
}

/**
 * Reads which chunks a manifest names. An array without any is left out.
 *
 * @throws DamagedObjectError, LimitExceededError, UnsupportedFormatError, and what the cancellation throws
 */
export async function decodeManifest(
  file: StoredFile,
  id: ManifestId,
  limits: ReaderLimits = defaultLimits,
  { cancellation, files }: DecodeOptions = {},
): Promise<ManifestChunks> {
  const { payload, errors } = await openEnvelope(file, 'manifest', limits)
  const allowance = new Allowance(errors, limits)
  const root = openFlatBuffer(payload, allowance)
  const ownId = root.readStruct(0, idBytes)
  if (ownId === undefined || formatManifestId(ownId) !== id) throw errors.damage('it has the id of another manifest')
  const tables = root.readTables(1)
  if (tables === undefined) throw errors.damage('it has no list of arrays')
  if (tables.length > limits.maxManifestArrays)
    throw errors.exceed('maxManifestArrays', `it has references of more than ${limits.maxManifestArrays} arrays`)
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length)
  const reader = new ReferenceReader(bytes, root, { allowance, limits, cancellation, files })
  const table = root.readFields(fields)
  const arrays: ManifestArray[] = []
  let sizeBytes = 0
  let previous = 0
  for (let index = 0; index < tables.length; index++) {
    table.moveTo(tables.find(index))
    const node = table.find(nodeField)
    const references = table.findTable(referencesField)
    if (node === 0 || references === 0) throw errors.damage('an array lacks its id or its references')
    if (previous !== 0 && compareBytes(bytes, previous, previous + nodeIdBytes, bytes, node, node + nodeIdBytes) >= 0)
      throw errors.damage('its arrays are not in order')
    previous = node
    const vector = root.tablesAt(references)
    if (vector.length === 0) continue
    const array = { node: readNodeId(bytes, node), ...reader.read(vector) }
    arrays.push(array)
    sizeBytes += arrayBytes + dimensionBytes * array.size.length + array.bits.length + measureFiles(array.files ?? [])
  }
  return { arrays, sizeBytes }
}
