import { z } from 'zod'
import { AtomFeed, c, deploymentProblems, HtmlPage, meta, metaPrefix, notModified, problems } from '../../dsl.ts'
import { maxIndexedText } from '../../limits.ts'
import { datasetKinds, noLicence, searchFacets } from '../../lists.ts'
import { SearchAnswer } from '../../schemas/metadata/search.ts'
import { Glob, globRule } from '../../schemas/names.ts'
import { OfDeployment, repeatable, wholeNumber } from '../../schemas/addresses.ts'

const description =
  'Finds datasets of `main`, and of the other branches that the service indexes, by words, by exact values, and by ' +
  'the extent that their attributes state. Names and attributes are those of `dict`, after decoding. A parameter ' +
  'can be repeated if it names a value or a repository: one of its values is enough. Different ' +
  'parameters must all match. An API key that covers some repositories searches only these. `index` says how ' +
  'current the index is.'

const exactValue = z.string().max(maxIndexedText)

const changedAt = (description: string, example: string) =>
  z
    .string()
    .max(64)
    .optional()
    .describe(`${description}, as a date or an instant of ISO 8601`)
    .meta({ examples: [example] })

/** Joins the edges of a box that come one by one. */
function joinEdges(given: unknown): unknown {
  return dropEmpty(given) && [given].flat().join(',')
}

/** Drops the empty texts of a parameter, which a form sends for fields that were left empty. */
function dropEmpty(given: unknown): unknown {
  const texts = [given].flat().filter((text) => text !== undefined && text !== '')
  return texts.length === 0 ? undefined : texts
}

/** Search over all repositories. */
export const search = c.router({
  get: {
    method: 'GET',
    path: `${metaPrefix}/search`,
    pathParams: OfDeployment,
    query: z.strictObject({
      q: z
        .string()
        .optional()
        .describe(
          "Words that must all occur in the repository's name, the path, or a text attribute of the dataset or its " +
            'variables; `winds` also finds `wind`. Title, summary and keywords are inherited from groups above. The ' +
            'last word may be the beginning of one, from two letters on. Quotes make a phrase; words after the 20th ' +
            'are ignored',
        )
        .meta({ examples: ['temperature'] }),
      variable: repeatable(exactValue, 'Name of a variable', 'temperature'),
      standard_name: repeatable(exactValue, 'Attribute `standard_name` of a variable', 'air_temperature'),
      units: repeatable(
        exactValue,
        'Attribute `units` of a variable; `m/s` also finds `m s-1` and other spellings of the same unit',
        'degC',
      ),
      dimension: repeatable(exactValue, 'Name of a dimension', 'time'),
      dtype: repeatable(exactValue, 'Decoded dtype of a variable, as `info` has it', 'float64'),
      institution: repeatable(exactValue, 'Attribute `institution` of the dataset', 'Polar Institute'),
      keyword: repeatable(exactValue, 'One of the comma-separated `keywords` of the dataset', 'sea ice'),
      licence: repeatable(
        exactValue,
        'SPDX identifier of the licence that the dataset states or inherits, or its text if it has none; ' +
          `\`${noLicence}\` finds datasets that state none`,
        'CC-BY-4.0',
      ),
      kind: repeatable(
        exactValue,
        `Kind of the dataset, as its metadata state it: ${datasetKinds.map((kind) => `\`${kind}\``).join(', ')}`,
        'grid',
      ),
      attribute: repeatable(
        exactValue,
        'An attribute of the dataset, as `name=value`; a value that is not text is written as JSON',
        'Conventions=CF-1.11',
      ),
      bbox: z
        .preprocess(
          joinEdges,
          z
            .string()
            .meta({ examples: ['-25,34,45,72'] })
            .optional(),
        )
        .describe(
          '`west,south,east,north` in degrees; west may be greater than east. Only datasets whose attributes state ' +
            'an overlapping box match. It may come in four parameters, as a form with a field for each edge sends it',
        ),
      time: z
        .string()
        .optional()
        .describe(
          '`start/end` as dates or instants of ISO 8601, or a single one; `..` or nothing for an open end. Only ' +
            'datasets whose attributes state an overlapping time match',
        )
        .meta({ examples: ['2026-01-01/..'] }),
      repo: z.preprocess(dropEmpty, repeatable(Glob, `Name of a repository, or a pattern: ${globRule}`, 'weather*')),
      facets: repeatable(z.enum(searchFacets), 'Count the values of these over the results', 'units'),
      changed_since: changedAt('Only datasets that were changed at this time or later', '2026-11-01'),
      changed_before: changedAt('Only datasets that were last changed before this time', '2026-11-08T12:00:00Z'),
      sort: z
        .enum(['relevance', 'changed'])
        .optional()
        .describe('What comes first: what matches best, or what was changed last, as in feeds. Default: `relevance`')
        .meta({ examples: ['changed'] }),
      limit: wholeNumber(100, 10)
        .optional()
        .describe('Maximum number of results, 1 to 100; default 20, and 100 in a feed'),
      before: z
        .string()
        .max(16_384)
        .optional()
        .describe('Continue after a page: its `next`')
        .meta({ examples: ['WzQzNTEsInNhdGVsbGl0ZSIsIm1haW4iLDJd'] }),
      format: z
        .enum(['json', 'atom'])
        .optional()
        .describe('`atom`: a feed of the last changes, for feed readers. `json`: JSON for browsers too')
        .meta({ examples: ['json'] }),
    }),
    responses: { 200: SearchAnswer, ...notModified, ...problems(...deploymentProblems, 'search-disabled') },
    summary: 'Search datasets',
    description,
    metadata: meta({ tag: 'search', access: 'reader', html: HtmlPage, feed: AtomFeed, headers: ['etag'] }),
  },
})
