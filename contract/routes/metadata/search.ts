import { z } from 'zod'
import { c, deploymentProblems, HtmlPage, meta, metaPrefix, notModified, problems } from '../../dsl.ts'
import { maxIndexedText, SearchAnswer, searchFacets } from '../../schemas/metadata/search.ts'
import { Glob, globRule } from '../../schemas/names.ts'
import { OfDeployment, repeatable } from '../addresses.ts'

const description =
  'Finds datasets of `main`, and of the other branches that the service indexes, by words, exact values, and the extent that their attributes state. Values are those of `dict`: names and ' +
  'attributes after decoding. Parameters can be repeated, except `q`, `bbox`, `time`, `limit` and `before`: a dataset must have one of the ' +
  'values of each parameter. An API key for single repositories searches these. The index follows each commit; `index` says how far.'

const exact = z.string().max(maxIndexedText)

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
          'Words that must all occur in the path, title, summary, keywords, institution, source, dimensions, or in the name, ' +
            '`standard_name`, `long_name` or `units` of a variable. The last word may be a beginning, which stands for the 200 shortest ' +
            'such words; quotes make a phrase, and words after the 50th are ignored',
        )
        .meta({ examples: ['temperature'] }),
      variable: repeatable(exact, 'Name of a variable', 'temperature'),
      standard_name: repeatable(exact, 'The attribute of a variable', 'air_temperature'),
      units: repeatable(exact, 'The attribute of a variable', 'degC'),
      dimension: repeatable(exact, 'Name of a dimension', 'time'),
      dtype: repeatable(exact, 'Decoded dtype of a variable, as `info` has it', 'float64'),
      institution: repeatable(exact, 'The attribute of the dataset', 'Polar Institute'),
      keyword: repeatable(exact, 'One of the comma-separated `keywords` of the dataset', 'sea ice'),
      attribute: repeatable(
        exact,
        '`name=value` of an attribute of the dataset; values that are no text as JSON',
        'Conventions=CF-1.11',
      ),
      bbox: z
        .string()
        .optional()
        .describe(
          '`west,south,east,north` in degrees; west may be greater than east. Only datasets whose attributes state an overlapping box match',
        )
        .meta({ examples: ['-25,34,45,72'] }),
      time: z
        .string()
        .optional()
        .describe(
          '`start/end` as dates or instants of ISO 8601, or a single one; `..` or nothing for an open end. Only datasets whose attributes ' +
            'state an overlapping time match',
        )
        .meta({ examples: ['2026-01-01/..'] }),
      repo: repeatable(Glob, `Name of a repository, or a pattern: ${globRule}`, 'weather*'),
      facets: repeatable(z.enum(searchFacets), 'Count the values of these over the results', 'units'),
      limit: z
        .string()
        .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
        .optional()
        .describe('Maximum number of results, 1 to 100; default 20')
        .meta({ examples: ['10'] }),
      before: z
        .string()
        .max(16_384)
        .optional()
        .describe('Continue after a page: its `next`')
        .meta({ examples: ['WzEsInNhdGVsbGl0ZSIsIm1haW4iLCJiYW5kcyJd'] }),
    }),
    responses: { 200: SearchAnswer, ...notModified, ...problems(...deploymentProblems, 'search-disabled') },
    summary: 'Search datasets',
    description,
    metadata: meta({ tag: 'search', access: 'reader', html: HtmlPage, headers: ['etag'] }),
  },
})
