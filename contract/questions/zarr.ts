import { ZarrDocument } from '../schemas/metadata/zarr-document.ts'
import { askSnapshot, makeGroupRoutes, type Question } from './question.ts'

const { root, group } = makeGroupRoutes(
  'zarr',
  '/zarr.json',
  {
    ...askSnapshot({ tag: 'datasets' }, ZarrDocument, 'not-a-dataset'),
    description:
      'Returns `zarr.json` of a group, with the documents of all nodes below it as consolidated metadata, or that ' +
      'of an array. Zarr readers that are given the address without `/zarr.json` list what is there and read ' +
      'attributes, shapes, codecs and chunk grids as they are stored. Chunks are not served, so values that are read ' +
      'there are fill values: open the repository itself for data.',
  },
  ['Zarr documents of the root', 'Zarr documents of a group or an array'],
)

/** The stored Zarr documents of a node and of all nodes below it. */
export const zarr = {
  router: 'zarr',
  routes: { document: root, nodeDocument: group },
  answer: ZarrDocument,
  clientMethod: 'zarr',
} as const satisfies Question
