import { z } from 'zod'
import { GroupPath, RepoName, SnapshotId } from '../names.ts'
import { Instant, cutText } from '../values.ts'

/** What can be counted over the results, and asked for by its exact value. */
export const searchFacets = [
  'variable',
  'standard_name',
  'units',
  'dimension',
  'dtype',
  'institution',
  'keyword',
] as const
export type SearchFacet = (typeof searchFacets)[number]

/** Longest text of a dataset or a variable in the index, in Unicode code points. */
export const maxIndexedText = 1_024

/** Bounds of an answer. */
export const searchLimits = { total: 10_000, facetDatasets: 2_000, facetValues: 20, variables: 20 } as const

const text = (description: string) => cutText(maxIndexedText, description).nullable()

export const FoundVariable = z
  .object({
    name: z.string().describe('Name of the variable'),
    standard_name: text('The attribute `standard_name`'),
    long_name: text('The attribute `long_name`'),
    units: text('The attribute `units`, where decoding leaves it'),
    type: z.string().describe('The decoded dtype, as in `info`'),
    dimensions: z.array(z.string()).describe('Names of its dimensions'),
    matched: z.boolean().describe('Whether something that was asked for is in this variable'),
  })
  .meta({ id: 'FoundVariable', description: 'A variable of a dataset that was found' })
export type FoundVariable = z.infer<typeof FoundVariable>

export const StatedExtent = z
  .object({
    bbox: z
      .array(z.number())
      .length(4)
      .nullable()
      .describe('West, south, east, north in degrees. East is less than west if the box crosses the antimeridian'),
    start: Instant.nullable().describe('Null when no start is stated'),
    end: Instant.nullable().describe('Null when no end is stated'),
  })
  .meta({
    id: 'StatedExtent',
    description: 'Where and when the data lies, according to the attributes of the dataset',
    examples: [{ bbox: [-25, 34, 45, 72], start: '2026-01-01T00:00:00.000Z', end: '2026-01-31T23:00:00.000Z' }],
  })
export type StatedExtent = z.infer<typeof StatedExtent>

export const FoundDataset = z
  .object({
    repo: RepoName,
    branch: z.string().describe('The branch that was indexed'),
    snapshot_id: SnapshotId.describe('The snapshot that was indexed'),
    group: GroupPath,
    title: text('The attribute `title`'),
    summary: text('The attribute `summary`'),
    dimensions: z.record(z.string(), z.int()).describe('Sizes by name'),
    extent: StatedExtent,
    variables: z
      .array(FoundVariable)
      .max(searchLimits.variables)
      .describe(`The first ${searchLimits.variables}; those that matched come before the others`),
    variable_count: z.int().describe('Number of all variables'),
    refusal: z
      .string()
      .nullable()
      .describe('Why xarray cannot open the group, which is then found by its path alone; otherwise null'),
    href: z.string().describe('Address of the page of the dataset, beginning with `/`'),
  })
  .meta({ id: 'FoundDataset', description: 'A dataset that was found' })
export type FoundDataset = z.infer<typeof FoundDataset>

const FacetValues = z
  .array(
    z.object({ value: z.string().describe('The value'), count: z.int().describe('Number of datasets that have it') }),
  )
  .meta({ id: 'FacetValues', description: 'The values of a facet, the most frequent first' })

const facetValues = FacetValues.optional()

/** An object with optional members, not a record: a record refuses unknown names, which a client must tolerate. */
const Facets = z.object({
  variable: facetValues,
  standard_name: facetValues,
  units: facetValues,
  dimension: facetValues,
  dtype: facetValues,
  institution: facetValues,
  keyword: facetValues,
} satisfies Record<SearchFacet, typeof facetValues>)

export const SearchAnswer = z
  .object({
    results: z.array(FoundDataset).describe('By relevance, then by repository, branch and group'),
    facets: Facets.describe(
      `The ${searchLimits.facetValues} most frequent values with the number of datasets that have them, counted over the first ` +
        `${searchLimits.facetDatasets.toLocaleString('en')} datasets found`,
    ),
    total: z.int().describe(`Number of datasets found, exact up to ${searchLimits.total.toLocaleString('en')}`),
    total_is_exact: z.boolean().describe('False when more datasets match than are counted'),
    without_extent: z
      .int()
      .nullable()
      .describe('With `bbox` or `time`: number of datasets that match otherwise, but state no such extent. Else null'),
    next: z.string().nullable().describe('Send it as `before` for the next page; null on the last page'),
    index: z
      .object({
        repositories: z.int().describe('Number of repositories searched'),
        pending: z.int().describe('Number of their branches whose last commit is not indexed yet, or could not be'),
        oldest: Instant.nullable().describe('Since when the first of these waits; null when none does'),
        omitted: z.int().describe('Number of datasets left out, because their repository has too many'),
      })
      .describe('How current the index is'),
  })
  .meta({
    id: 'SearchAnswer',
    description: 'A page of the datasets that match',
    examples: [
      {
        results: [
          {
            repo: 'weather',
            branch: 'main',
            snapshot_id: '1CECHNKREP0F1RSTCMT0',
            group: 'forecast',
            title: 'Forecast',
            summary: null,
            dimensions: { time: 24, y: 10, x: 20 },
            extent: { bbox: null, start: null, end: null },
            variables: [
              {
                name: 't2m',
                standard_name: 'air_temperature',
                long_name: '2 metre temperature',
                units: 'K',
                type: 'float32',
                dimensions: ['time', 'y', 'x'],
                matched: true,
              },
            ],
            variable_count: 1,
            refusal: null,
            href: '/v1/services/demo/acme/_meta/datasets/weather/main/forecast',
          },
        ],
        facets: { units: [{ value: 'K', count: 1 }] },
        total: 1,
        total_is_exact: true,
        without_extent: null,
        next: null,
        index: { repositories: 2, pending: 0, oldest: null, omitted: 0 },
      },
    ],
  })
export type SearchAnswer = z.infer<typeof SearchAnswer>
