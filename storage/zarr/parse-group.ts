import type { GroupMetadata } from './array-metadata.ts'
import { parseDocument, readAttributes } from './document.ts'

/**
 * A group's `zarr.json`. Consolidated metadata in it, if any, is ignored: the repository's own listing is the truth.
 * @throws {@link ZarrDocumentError}
 */
export function parseGroupDocument(bytes: Uint8Array): GroupMetadata {
  const document = parseDocument(bytes, 'group')
  return { attributes: readAttributes(document), document }
}
