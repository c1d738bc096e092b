import { StacCollection } from '../../schemas/metadata/catalogues/stac.ts'
import { askSnapshot, makeGroupRoutes, type Question } from '../question.ts'

const { root, group } = makeGroupRoutes(
  'stac/datasets',
  '',
  {
    ...askSnapshot({ tag: 'catalogues' }, StacCollection),
    description:
      'Returns a STAC Collection without items. Its texts and extents are those that attributes state. A group that ' +
      'xarray cannot open has no dimensions and no variables here, and its description says why.',
  },
  ['STAC collection of the root dataset', 'STAC collection of a dataset'],
)

/** A group as a collection of STAC. */
export const stacCollection = {
  router: 'stac',
  routes: { dataset: root, groupDataset: group },
  answer: StacCollection,
  needsService: true,
  clientMethod: 'stacCollection',
} as const satisfies Question
