import type { GroupMetadata } from './array-metadata.ts'
import type { DocumentAllowance } from '../json/document-allowance.ts'
import { readJsonText } from '../json/json-text.ts'
import { parseDocument, readAttributes, refuseSyntaxErrors } from './document.ts'

/**
 * Reads a group's `zarr.json`. Ignores consolidated metadata in it, because the repository itself lists its nodes.
 * @throws {@link ZarrDocumentError}
 * @throws {@link DocumentsTooLargeError} when the allowance is used up.
 */
export function parseGroupDocument(bytes: Uint8Array, allowance: DocumentAllowance): GroupMetadata {
  const text = refuseSyntaxErrors(() => readJsonText(bytes, allowance))
  const document = parseDocument(text, 'group', allowance)
  return { attributes: readAttributes(document), document }
}
