import { meta, metaPrefix, notModified, problems, snapshotProblems } from '../../dsl.ts'
import { OfGroup, OfRef } from '../../addresses.ts'
import { OpenMetadataContainer } from '../../schemas/metadata/catalogues/openmetadata.ts'
import type { Question } from '../question.ts'

const route = {
  method: 'GET',
  responses: { 200: OpenMetadataContainer, ...notModified, ...problems(...snapshotProblems) },
  description:
    'Returns the body of a `PUT` to `/api/v1/containers` of OpenMetadata. The name does not have the ref: another ' +
    'ref replaces what OpenMetadata has of the dataset.',
  metadata: meta({ tag: 'catalogues', access: 'reader', headers: ['etag', 'snapshot', 'behind'] }),
} as const

/** A group as OpenMetadata takes it. */
export const openmetadata = {
  router: 'catalogues',
  routes: {
    openmetadata: {
      ...route,
      path: `${metaPrefix}/openmetadata/:repo/:ref`,
      pathParams: OfRef,
      summary: 'The root dataset for OpenMetadata',
    },
    groupOpenmetadata: {
      ...route,
      path: `${metaPrefix}/openmetadata/:repo/:ref/:group`,
      pathParams: OfGroup,
      summary: 'A dataset for OpenMetadata',
    },
  },
  answer: OpenMetadataContainer,
  needsService: true,
  clientMethod: 'openmetadata',
} as const satisfies Question
