import { meta, metaPrefix, notModified, problems, snapshotProblems } from '../dsl.ts'
import { OfGroup, OfRef } from '../schemas/addresses.ts'
import { ZarrDocument } from '../schemas/metadata/zarr-document.ts'
import type { Question } from './question.ts'

const route = {
  method: 'GET',
  responses: { 200: ZarrDocument, ...notModified, ...problems(...snapshotProblems, 'not-a-dataset') },
  description:
    'Returns `zarr.json` of a group, with the documents of all nodes below it as consolidated metadata, or that of ' +
    'an array. Zarr readers that are given the address without `/zarr.json` list what is there and read attributes, ' +
    'shapes, codecs and chunk grids as they are stored. Chunks are not served, so values that are read there are ' +
    'fill values: open the repository itself for data.',
  metadata: meta({ tag: 'datasets', access: 'reader', headers: ['etag', 'snapshot', 'behind'] }),
} as const

/** The stored Zarr documents of a node and of all nodes below it. */
export const zarr = {
  router: 'zarr',
  routes: {
    document: {
      ...route,
      path: `${metaPrefix}/zarr/:repo/:ref/zarr.json`,
      pathParams: OfRef,
      summary: 'Zarr documents of the root',
    },
    nodeDocument: {
      ...route,
      path: `${metaPrefix}/zarr/:repo/:ref/:group/zarr.json`,
      pathParams: OfGroup,
      summary: 'Zarr documents of a group or an array',
    },
  },
  answer: ZarrDocument,
  clientMethod: 'zarr',
} as const satisfies Question
