import { meta, metaPrefix, notModified, problems, snapshotProblems } from '../../dsl.ts'
import { OfGroup, OfRef } from '../../schemas/addresses.ts'
import { StacCollection } from '../../schemas/metadata/catalogues/stac.ts'
import type { Question } from '../question.ts'

const route = {
  method: 'GET',
  responses: { 200: StacCollection, ...notModified, ...problems(...snapshotProblems) },
  description:
    'Returns a STAC Collection without items. Its texts and extents are those that attributes state. A group that ' +
    'xarray cannot open has no dimensions and no variables here, and its description says why.',
  metadata: meta({ tag: 'catalogues', access: 'reader', headers: ['etag', 'snapshot', 'behind'] }),
} as const

/** A group as a collection of STAC. */
export const stacCollection = {
  router: 'stac',
  routes: {
    dataset: {
      ...route,
      path: `${metaPrefix}/stac/datasets/:repo/:ref`,
      pathParams: OfRef,
      summary: 'STAC collection of the root dataset',
    },
    groupDataset: {
      ...route,
      path: `${metaPrefix}/stac/datasets/:repo/:ref/:group`,
      pathParams: OfGroup,
      summary: 'STAC collection of a dataset',
    },
  },
  answer: StacCollection,
  needsService: true,
  clientMethod: 'stacCollection',
} as const satisfies Question
