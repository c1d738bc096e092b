import { c } from '../../dsl.ts'
import { contentTypes } from '../../http/media-types.ts'
import { CroissantDataset } from '../../schemas/metadata/catalogues/linked-data.ts'
import { askSnapshot, makeGroupRoutes, type Question } from '../question.ts'

const { root, group } = makeGroupRoutes(
  'croissant',
  '',
  {
    ...askSnapshot(
      { tag: 'catalogues', isInClient: false },
      c.otherResponse({ contentType: contentTypes.jsonLd, body: CroissantDataset }),
    ),
    description:
      'Returns the dataset in JSON-LD, in the vocabulary of Croissant 1.0 and schema.org. It has no record sets, ' +
      'because Croissant cannot say how to read Zarr.',
  },
  ['The root dataset in the vocabulary of Croissant', 'A dataset in the vocabulary of Croissant'],
)

/** A group in the vocabulary of Croissant. */
export const croissant = {
  router: 'catalogues',
  routes: { croissant: root, groupCroissant: group },
  answer: CroissantDataset,
  format: 'jsonLd',
  needsService: true,
} as const satisfies Question
