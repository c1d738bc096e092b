export { ArrayParser } from './array-parser.ts'
export type { ArrayMetadata, GroupMetadata, NamedConfiguration } from './array-metadata.ts'
export { MissingMemberError, parseGroupDocument, ZarrDocumentError } from './document.ts'
