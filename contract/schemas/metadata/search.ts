import { z } from 'zod'
import { maxIndexedText, searchLimits } from '../../limits.ts'
import { datasetKinds, type SearchFacet } from '../../lists.ts'
import { Remark } from './remarks.ts'
import { GroupPath, RepoName, SnapshotId } from '../names.ts'
import { Instant, cutText } from '../values.ts'

const text = (description: string) => cutText(maxIndexedText, description).nullable()
const variableText = (description: string) => cutText(searchLimits.variableText, description).nullable()

export const FoundVariable = z
  .object({
    name: z.string().describe('Name of the variable'),
    standard_name: variableText('The attribute `standard_name`'),
    long_name: variableText('The attribute `long_name`'),
    units: variableText('The attribute `units`, where decoding leaves it'),
    type: z.string().describe('The decoded dtype, as in `info`'),
    dimensions: z.array(z.string()).describe('Names of its dimensions'),
    matched: z
      .boolean()
      .describe('Whether no other variable of the dataset has more of the words and values of the search'),
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
    description:
      'Where and when the data lies, according to the attributes of the dataset, or else of a group above it',
    examples: [{ bbox: [-25, 34, 45, 72], start: '2026-01-01T00:00:00.000Z', end: '2026-01-31T23:00:00.000Z' }],
  })
export type StatedExtent = z.infer<typeof StatedExtent>

export const FoundDataset = z
  .object({
    repo: RepoName,
    branch: z.string().describe('The branch that was indexed'),
    snapshot_id: SnapshotId.describe('The snapshot that was indexed'),
    group: GroupPath,
    title: text(
      'The attribute `title` of the dataset, or else of the nearest group above it that has one, or else of the ' +
        'metadata of the repository',
    ),
    summary: text('The attribute `summary` or `description`, likewise'),
    dimensions: z
      .record(z.string(), z.int())
      .describe(`Sizes by name, of the first ${searchLimits.dimensions} dimensions`),
    extent: StatedExtent,
    kind: z
      .string()
      .nullable()
      .describe(`Its kind, as its metadata state it: one of ${datasetKinds.join(', ')}; null if they state none`),
    variables: z
      .array(FoundVariable)
      .max(searchLimits.variables)
      .describe(
        `The first ${searchLimits.variables}: those that matched, best first, then data variables, then coordinates`,
      ),
    variable_count: z.int().describe('Number of all variables'),
    changed: z
      .object({
        at: Instant.describe('When it was committed'),
        message: z.string().describe('Message of the commit, cut after 200 characters'),
      })
      .describe('The last commit that changed the dataset, as far as the index has seen it'),
    refusal: z
      .string()
      .nullable()
      .describe('Why xarray cannot open the group, which is then found and shown as it is stored; otherwise null'),
    remarks: z
      .array(Remark)
      .max(searchLimits.remarks)
      .describe(
        `The first ${searchLimits.remarks} remarks about the dataset: retractions, then notes. A retracted dataset ` +
          'comes after all others',
      ),
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

/** An object with optional fields. A record would reject unknown names, which a client must tolerate. */
const Facets = z.object({
  variable: facetValues,
  standard_name: facetValues,
  units: facetValues,
  dimension: facetValues,
  dtype: facetValues,
  institution: facetValues,
  keyword: facetValues,
  licence: facetValues,
  kind: facetValues,
} satisfies Record<SearchFacet, typeof facetValues>)

export const UnknownWord = z
  .object({
    word: z.string().describe('The word, in lower case'),
    near: z.array(z.string()).describe('Words that some dataset has and that differ in one or two characters'),
    repository: RepoName.nullable().describe('A repository whose name contains the word; search in it with `repo`'),
  })
  .meta({ id: 'UnknownWord', description: 'A word that was not found' })
export type UnknownWord = z.infer<typeof UnknownWord>

export const SearchAnswer = z
  .object({
    results: z
      .array(FoundDataset)
      .describe(
        'By relevance, then with fewer variables first; or by last change, to the second. Then by repository and ' +
          'branch',
      ),
    facets: Facets.describe(
      `The ${searchLimits.facetValues} most frequent values with the number of datasets that have them, counted ` +
        `over the first ${searchLimits.facetDatasets.toLocaleString('en')} datasets found. Of a dataset, the first ` +
        '64 variables that matched count; if none did, its first 16 variables. Units that mean the same count ' +
        'together',
    ),
    total: z.int().describe('Number of datasets found'),
    total_is_exact: z
      .boolean()
      .describe(
        'False when there is more than a search reads: 16,384 branches, where each 256 datasets count as a branch',
      ),
    without_extent: z
      .int()
      .nullable()
      .describe(
        'With `bbox` or `time`: number of datasets that match apart from that, but state no such extent. Otherwise ' +
          'null',
      ),
    unknown_words: z
      .array(UnknownWord)
      .describe('When nothing was found: words of the query that none of the searched datasets has, at most five'),
    next: z.string().nullable().describe('Send it as `before` for the next page; null on the last page'),
    index: z
      .object({
        repositories: z.int().describe('Number of repositories searched'),
        pending: z
          .int()
          .describe('Number of their branches whose last commit is not indexed yet, or could not be indexed'),
        failed: z
          .int()
          .describe('Number of these that could not be indexed, such as of a damaged repository; Floe tries again'),
        oldest: Instant.nullable().describe('Since when the first of these has been waiting; null when none waits'),
        omitted: z
          .int()
          .describe('Number of datasets left out, because their repository has too many datasets or too many words'),
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
            kind: 'grid',
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
            changed: { at: '2026-11-22T10:15:00.000Z', message: 'Append the run of 06 UTC' },
            refusal: null,
            remarks: [],
            href: '/v1/services/demo/acme/_meta/datasets/weather/main/forecast',
          },
        ],
        facets: { units: [{ value: 'K', count: 1 }] },
        total: 1,
        total_is_exact: true,
        without_extent: null,
        unknown_words: [],
        next: null,
        index: { repositories: 2, pending: 0, failed: 0, oldest: null, omitted: 0 },
      },
    ],
  })
export type SearchAnswer = z.infer<typeof SearchAnswer>
