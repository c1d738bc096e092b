import { meta, metaPrefix, notModified, problems, snapshotProblems } from '../../dsl.ts'
import { OfGroup, OfRef } from '../../schemas/addresses.ts'
import { DataHubProposals } from '../../schemas/metadata/catalogues/datahub.ts'
import type { Question } from '../question.ts'

const route = {
  method: 'GET',
  responses: { 200: DataHubProposals, ...notModified, ...problems(...snapshotProblems) },
  description:
    'Returns metadata change proposals of DataHub, as its source `file` reads them. A group that xarray cannot open ' +
    'has no fields. The URN does not name the ref: another ref replaces what DataHub has of the dataset.',
  metadata: meta({ tag: 'catalogues', access: 'reader', headers: ['etag', 'snapshot', 'behind'] }),
} as const

/** A group as DataHub ingests it. */
export const datahub = {
  router: 'catalogues',
  routes: {
    datahub: {
      ...route,
      path: `${metaPrefix}/datahub/:repo/:ref`,
      pathParams: OfRef,
      summary: 'The root dataset for DataHub',
    },
    groupDatahub: {
      ...route,
      path: `${metaPrefix}/datahub/:repo/:ref/:group`,
      pathParams: OfGroup,
      summary: 'A dataset for DataHub',
    },
  },
  answer: DataHubProposals,
  needsService: true,
  clientMethod: 'datahub',
} as const satisfies Question
