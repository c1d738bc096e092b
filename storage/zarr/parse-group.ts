import type { GroupMetadata } from './array-metadata.ts'
import { parseDocument, readAttributes } from './document.ts'

/**
 * Reads a group's `zarr.json`. Ignores consolidated metadata in it, because the repository itself lists its nodes.
 * @throws {@link ZarrDocumentError}
 */
export function parseGroupDocument(bytes: Uint8Array): GroupMetadata {
  const document = parseDocument(bytes, 'group')
  return { attributes: readAttributes(document), document }
}
