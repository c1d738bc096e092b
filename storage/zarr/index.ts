export { ArrayParser } from './array-parser.ts'
export type { ArrayMetadata, GroupMetadata, NamedConfiguration } from './array-metadata.ts'
export { MissingMemberError, ZarrDocumentError } from './document.ts'
export { parseGroupDocument } from './parse-group.ts'
