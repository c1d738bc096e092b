export type { ArrayMetadata, GroupMetadata, NamedConfiguration } from './array-metadata.ts'
export { MissingMemberError, ZarrDocumentError } from './document.ts'
export { parseArrayDocument } from './parse-array.ts'
export { parseGroupDocument } from './parse-group.ts'
