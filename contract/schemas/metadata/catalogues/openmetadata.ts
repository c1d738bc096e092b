// A dataset as OpenMetadata takes it. The members follow OpenMetadata's own models.
import { z } from 'zod'

/** The nearest types of OpenMetadata. */
const ColumnType = z.enum(['BOOLEAN', 'INT', 'UINT', 'FLOAT', 'INTERVAL', 'TIMESTAMP', 'BYTES', 'STRING', 'UNKNOWN'])

const OpenMetadataColumn = z
  .object({
    name: z.string().describe('Name of the variable'),
    dataType: z
      .enum(['ARRAY', ...ColumnType.options])
      .describe('`ARRAY`, or the type of a variable without dimensions'),
    arrayDataType: ColumnType.optional().describe('Type of the elements of an array'),
    dataTypeDisplay: z.string().describe('Decoded type and dimensions, such as `float32(time, latitude)`'),
    description: z.string().optional().describe('`long_name` or `standard_name`, with the units'),
  })
  .meta({ id: 'OpenMetadataColumn', description: 'A variable as a column of OpenMetadata' })

export const OpenMetadataContainer = z
  .object({
    name: z
      .string()
      .describe('`ORG/REPO/GROUP`. What OpenMetadata refuses in names, such as `::`, is written as by its connectors'),
    displayName: z.string().describe('Title of the dataset, else its path'),
    description: z.string().describe('Markdown: summary, then a list of what else the attributes state'),
    service: z.string().describe('`icechunk`, the storage service in OpenMetadata, which must exist'),
    sourceUrl: z.string().optional().describe('Address of the page of the dataset'),
    dataModel: z
      .object({
        isPartitioned: z.literal(false).describe('Whether the values of a column divide the data'),
        columns: z.array(OpenMetadataColumn).describe('The variables'),
      })
      .describe('The variables; none if xarray cannot open the group'),
  })
  .meta({
    id: 'OpenMetadataContainer',
    description: 'A request that creates or updates a container of OpenMetadata',
    examples: [
      {
        name: 'acme/weather/forecast',
        displayName: 'Forecast',
        description: 'Forecasts of two weeks\n\n- branch: main',
        service: 'icechunk',
        dataModel: {
          isPartitioned: false,
          columns: [
            { name: 't2m', dataType: 'ARRAY', arrayDataType: 'FLOAT', dataTypeDisplay: 'float32(time, latitude)' },
          ],
        },
      },
    ],
  })
export type OpenMetadataContainer = z.infer<typeof OpenMetadataContainer>
