// A dataset as DataHub ingests it. What is in an aspect follows DataHub's own models.
import { z } from 'zod'
import { JsonObject } from '../../values.ts'

const DataHubProposal = z
  .object({
    entityType: z.literal('dataset').describe('Kind of what is described'),
    entityUrn: z
      .string()
      .describe(
        'URN of the dataset: `urn:li:dataset:(urn:li:dataPlatform:icechunk,ORG/REPO/GROUP,PROD)`. In names, `%` and ' +
          'two hexadecimal digits stand for a byte of `%`, a comma, a bracket or `␟`. A long name is cut, and ends ' +
          'in a hash of the whole name',
      ),
    changeType: z.literal('UPSERT').describe('The aspect replaces the one that DataHub has'),
    aspectName: z
      .enum(['datasetProperties', 'schemaMetadata', 'globalTags', 'ownership', 'institutionalMemory', 'deprecation'])
      .describe(
        'What the aspect is about: title, description, extents and version; variables; keywords; creators and ' +
          'publisher; links; a retraction. Only aspects that have something to state are listed',
      ),
    aspect: z.object({ json: JsonObject.describe('The aspect, in the form of DataHub') }).describe('The aspect'),
  })
  .meta({ id: 'DataHubProposal', description: 'One aspect of a dataset, as a metadata change proposal of DataHub' })

export const DataHubProposals = z
  .array(DataHubProposal)
  .meta({
    id: 'DataHubProposals',
    description: 'A dataset as a file that DataHub ingests',
    examples: [
      [
        {
          entityType: 'dataset',
          entityUrn: 'urn:li:dataset:(urn:li:dataPlatform:icechunk,acme/weather/forecast,PROD)',
          changeType: 'UPSERT',
          aspectName: 'globalTags',
          aspect: { json: { tags: [{ tag: 'urn:li:tag:temperature' }] } },
        },
      ],
    ],
  })
export type DataHubProposals = z.infer<typeof DataHubProposals>
