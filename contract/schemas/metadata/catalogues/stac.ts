// Documents of the SpatioTemporal Asset Catalog (STAC 1.1.0) with its extensions `datacube`, `storage`, `version`,
// `scientific` and `projection`. Names and rules of the members are those of STAC.
import { z } from 'zod'
import { SnapshotId } from '../../names.ts'
import { Instant, JsonObject } from '../../values.ts'

const StacLink = z
  .object({
    rel: z.string().describe('How the other document is related to this one, such as `child` or `parent`'),
    href: z.string().describe('Its address, absolute'),
    type: z.string().optional().describe('Its media type'),
    title: z.string().optional().describe('What to show for it'),
  })
  .meta({ id: 'StacLink', description: 'A link to another document' })

const stacVersion = z.string().describe('Version of STAC: `1.1.0`')
const links = z.array(StacLink)

export const StacCatalog = z
  .object({
    type: z.literal('Catalog').describe('Kind of the document'),
    stac_version: stacVersion,
    id: z
      .string()
      .describe(
        'Names of organisation and deployment, then `~` and that of a repository, or `~~` and the number of a page',
      ),
    title: z
      .string()
      .describe('What to show for the catalog; of a repository, the title in its metadata, else its name'),
    description: z
      .string()
      .describe('What the catalog contains; of a repository, the description in its metadata if there is one'),
    links: links.describe(
      '`root`, `self`, `parent`, a page for people, and a `child` for each entry; `preview` is the thumbnail that ' +
        'the metadata of a repository states',
    ),
  })
  .meta({
    id: 'StacCatalog',
    description: 'A list of other catalogs, or of the datasets of a repository',
    examples: [
      {
        type: 'Catalog',
        stac_version: '1.1.0',
        id: 'acme~demo~~weather',
        title: 'weather',
        description: 'Datasets of weather at main',
        links: [{ rel: 'self', href: 'https://floe.example.org/stac', type: 'application/json' }],
      },
    ],
  })
export type StacCatalog = z.infer<typeof StacCatalog>

const CubeDimension = z
  .object({
    type: z
      .string()
      .describe(
        '`spatial` or `temporal` where the variable of the dimension says so; `other` for all others, and for ' +
          'directions whose extent is not stated',
      ),
    axis: z.enum(['x', 'y', 'z']).optional().describe('Direction of a spatial dimension'),
    extent: z
      .array(z.union([z.number(), z.string(), z.null()]))
      .describe('First and last value: degrees, or instants. Null where the attributes do not state them'),
    unit: z.string().optional().describe('Attribute `units` of the variable of the dimension'),
    description: z.string().optional().describe('Attribute `long_name` of the variable of the dimension'),
  })
  .meta({ id: 'StacCubeDimension', description: 'A dimension of a dataset' })

const CubeVariable = z
  .object({
    dimensions: z.array(z.string()).describe('Names of its dimensions; `null` for one without a name'),
    type: z.string().describe('`data`, or `auxiliary` for a coordinate that is no dimension'),
    shape: z.array(z.number()).describe('Size in each dimension'),
    data_type: z.string().describe('Decoded type of its values; `other` for those that STAC does not know'),
    unit: z.string().optional().describe('Attribute `units`'),
    description: z.string().optional().describe('Attribute `long_name`'),
  })
  .meta({ id: 'StacCubeVariable', description: 'A variable of a dataset' })

const projection = {
  'proj:code': z.string().optional().describe('Reference system that the attributes state, such as `EPSG:32632`'),
  'proj:bbox': z.array(z.number()).optional().describe('Stated box: west, south, east, north in that system'),
  'proj:transform': z
    .array(z.number())
    .optional()
    .describe('Where the box follows from a grid: six numbers that turn column and row into a place in that system'),
  'proj:shape': z.array(z.number()).optional().describe('Rows and columns of that grid'),
}

const StacAsset = z
  .object({
    href: z
      .string()
      .describe(
        'Location of the repository; for a group below the root, followed by the path of the group at this version, ' +
          'in the form `LOCATION|icechunk://branch.main/GROUP/|zarr3`',
      ),
    type: z.string().describe('`application/vnd.zarr+icechunk`'),
    title: z.string().describe('What to show for it'),
    roles: z.array(z.string()).describe('`data`, and `latest-version` for a branch'),
    version: z.string().describe('Branch, tag or snapshot id'),
    'storage:refs': z.array(z.string()).optional().describe('Names of its schemes in `storage:schemes`'),
    ...projection,
  })
  .meta({ id: 'StacAsset', description: 'The dataset in its Icechunk repository' })

const bboxText =
  '`bbox` has one box: west, south, east, north in degrees. If it crosses the 180th meridian, west is greater than ' +
  'east, and two more boxes are its parts. It is the whole Earth if no box is known; `description` then says so'

export const StacCollection = z
  .object({
    type: z.literal('Collection').describe('Kind of the document'),
    stac_version: stacVersion,
    stac_extensions: z.array(z.string()).describe('Schemas of the extensions that the document uses'),
    id: z
      .string()
      .describe(
        'Names of organisation, deployment and repository, and those in the path of the group, with `~` between ' +
          'them. `!` and two hexadecimal digits stand for a byte that is not a letter, digit, `-`, `_` or `.`',
      ),
    title: z
      .string()
      .describe('Attribute `title`, also of a group above or of the metadata of the repository; else the path'),
    description: z
      .string()
      .describe(
        'Attribute `summary` or `description`, also of a group above or of the metadata of the repository; else the ' +
          'names of the variables. And what the attributes do not state',
      ),
    keywords: z.array(z.string()).optional().describe('Attribute `keywords`, also of a group above'),
    license: z.string().describe('SPDX identifier; `other` if the attributes state another license, or none'),
    providers: z
      .array(
        z.object({
          name: z.string().describe('Name'),
          roles: z.array(z.enum(['producer', 'host'])).describe('`producer` created the data, `host` publishes it'),
        }),
      )
      .optional()
      .describe('Creators and publisher, from attributes'),
    extent: z
      .object({
        spatial: z.object({ bbox: z.array(z.array(z.number())).describe(bboxText) }).describe('Extent in space'),
        temporal: z
          .object({
            interval: z
              .array(z.array(z.string().nullable()))
              .describe('One interval: start and end. Null where the attributes state none'),
          })
          .describe('Extent in time'),
      })
      .describe('Extent that the attributes state, also those of a group above'),
    version: SnapshotId.describe('Id of the snapshot that the document describes'),
    updated: Instant.describe('When the snapshot was committed: UTC, milliseconds'),
    deprecated: z.literal(true).optional().describe('Only if the dataset is retracted'),
    'sci:doi': z.string().optional().describe('DOI that an attribute states, without an address'),
    ...projection,
    'cube:dimensions': z.record(z.string(), CubeDimension).optional().describe('Dimensions by name'),
    'cube:variables': z
      .record(z.string(), CubeVariable)
      .optional()
      .describe('Variables by name, without those that are dimensions'),
    'storage:schemes': z
      .record(z.string(), JsonObject)
      .optional()
      .describe(
        'Stores of the assets, only if the operator publishes them: `type` (`aws-s3`, `custom-s3`, `ms-azure` or ' +
          '`gcs`), `platform`, `bucket`, `region`, `account`, and `anonymous`, which says whether anyone may read',
      ),
    assets: z
      .record(z.string(), StacAsset)
      .optional()
      .describe('`branch` or `tag`, and `snapshot`; only if the operator publishes where the repository is'),
    links: links.describe(
      '`root`, `self`, `parent`; `alternate` is the page, `describedby` the schema in JSON, `version-history` the ' +
        'history, `successor-version` what to use instead of a retracted dataset; `store` is the repository, ' +
        '`license`, `cite-as` and `preview`, a thumbnail, are what the attributes state',
    ),
  })
  .meta({
    id: 'StacCollection',
    description: 'A dataset. It has no items',
    examples: [
      {
        type: 'Collection',
        stac_version: '1.1.0',
        stac_extensions: ['https://stac-extensions.github.io/version/v1.2.0/schema.json'],
        id: 'acme~demo~weather~forecast',
        title: 'Forecast of the regional model',
        description: 'Two days, every hour',
        license: 'CC-BY-4.0',
        extent: { spatial: { bbox: [[10, 55, 24, 69]] }, temporal: { interval: [['2026-11-01T00:00:00.000Z', null]] } },
        version: '1CECHNKREP0F1RSTCMT0',
        updated: '2026-11-21T12:00:00.123Z',
        links: [{ rel: 'self', href: 'https://floe.example.org/stac', type: 'application/json' }],
      },
    ],
  })
export type StacCollection = z.infer<typeof StacCollection>
