import { DataHubProposals } from '../../schemas/metadata/catalogues/datahub.ts'
import { askSnapshot, makeGroupRoutes, type Question } from '../question.ts'

const { root, group } = makeGroupRoutes(
  'datahub',
  '',
  {
    ...askSnapshot({ tag: 'catalogues' }, DataHubProposals),
    description:
      'Returns metadata change proposals of DataHub, as its source `file` reads them. A group that xarray cannot ' +
      'open has no fields. The URN does not name the ref: another ref replaces what DataHub has of the dataset.',
  },
  ['The root dataset for DataHub', 'A dataset for DataHub'],
)

/** A group as DataHub ingests it. */
export const datahub = {
  router: 'catalogues',
  routes: { datahub: root, groupDatahub: group },
  answer: DataHubProposals,
  needsService: true,
  clientMethod: 'datahub',
} as const satisfies Question
