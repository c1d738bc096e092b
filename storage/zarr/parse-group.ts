import type { GroupMetadata } from './array-metadata.ts'
import type { DocumentAllowance } from '../json/document-allowance.ts'
import { parseDocument, readAttributes } from './document.ts'

/**
 * Reads a group's `zarr.json`. Ignores consolidated metadata in it, because the repository itself lists its nodes.
 * @throws {@link ZarrDocumentError}
 * @throws {@link DocumentsTooLargeError} when the allowance is used up.
 */
export function parseGroupDocument(bytes: Uint8Array, allowance: DocumentAllowance): GroupMetadata {
  const document = parseDocument(bytes, 'group', allowance)
  return { attributes: readAttributes(document), document }
}
