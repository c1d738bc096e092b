import { OpenMetadataContainer } from '../../schemas/metadata/catalogues/openmetadata.ts'
import { askSnapshot, makeGroupRoutes, type Question } from '../question.ts'

const { root, group } = makeGroupRoutes(
  'openmetadata',
  '',
  {
    ...askSnapshot({ tag: 'catalogues' }, OpenMetadataContainer),
    description:
      'Returns the body of a `PUT` to `/api/v1/containers` of OpenMetadata. The name does not have the ref: another ' +
      'ref replaces what OpenMetadata has of the dataset.',
  },
  ['The root dataset for OpenMetadata', 'A dataset for OpenMetadata'],
)

/** A group as OpenMetadata takes it. */
export const openmetadata = {
  router: 'catalogues',
  routes: { openmetadata: root, groupOpenmetadata: group },
  answer: OpenMetadataContainer,
  needsService: true,
  clientMethod: 'openmetadata',
} as const satisfies Question
