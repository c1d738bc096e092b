import { c, meta, metaPrefix, notModified, problems, snapshotProblems } from '../../dsl.ts'
import { contentTypes } from '../../http/media-types.ts'
import { OfGroup, OfRef } from '../../schemas/addresses.ts'
import { CroissantDataset } from '../../schemas/metadata/catalogues/linked-data.ts'
import type { Question } from '../question.ts'

const route = {
  method: 'GET',
  responses: {
    200: c.otherResponse({ contentType: contentTypes.jsonLd, body: CroissantDataset }),
    ...notModified,
    ...problems(...snapshotProblems),
  },
  description:
    'Returns the dataset in JSON-LD, in the vocabulary of Croissant 1.0 and schema.org. It has no record sets, ' +
    'because Croissant cannot say how to read Zarr.',
  metadata: meta({ tag: 'catalogues', access: 'reader', isInClient: false, headers: ['etag', 'snapshot', 'behind'] }),
} as const

/** A group in the vocabulary of Croissant. */
export const croissant = {
  router: 'catalogues',
  routes: {
    croissant: {
      ...route,
      path: `${metaPrefix}/croissant/:repo/:ref`,
      pathParams: OfRef,
      summary: 'The root dataset in the vocabulary of Croissant',
    },
    groupCroissant: {
      ...route,
      path: `${metaPrefix}/croissant/:repo/:ref/:group`,
      pathParams: OfGroup,
      summary: 'A dataset in the vocabulary of Croissant',
    },
  },
  answer: CroissantDataset,
  format: 'jsonLd',
  needsService: true,
} as const satisfies Question
