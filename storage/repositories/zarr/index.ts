export { ArrayParser } from './array-parser.ts'
export type { ArrayMetadata, GroupMetadata, NamedConfiguration } from './array-metadata.ts'
export { hasRegularGrid } from './chunk-grid.ts'
export { MissingMemberError, parseGroupDocument, ZarrDocumentError } from './document.ts'
