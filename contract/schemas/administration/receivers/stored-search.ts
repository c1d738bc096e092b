// A search by which a webhook or chat of an organisation selects commits.
import { z } from 'zod'
import { maxIndexedText } from '../../../limits.ts'
import { noLicence, type SearchConditions } from '../../../lists.ts'

const text = z
  .string()
  .min(1, 'must not be empty')
  .max(maxIndexedText, `must have at most ${maxIndexedText} characters`)

const values = (description: string, example: string) =>
  z
    .array(text)
    .min(1, 'must not be empty')
    .max(20, 'must have at most 20 values')
    .optional()
    .describe(`${description}; one of the values is enough`)
    .meta({ examples: [[example]] })

const members = {
  q: text
    .optional()
    .describe('Words that must all occur')
    .meta({ examples: ['temperature'] }),
  variable: values('Names of a variable', 'temperature'),
  standard_name: values('Attribute `standard_name` of a variable', 'air_temperature'),
  units: values('Attribute `units` of a variable, in any spelling of the same unit', 'degC'),
  dimension: values('Names of a dimension', 'time'),
  dtype: values('Decoded dtype of a variable', 'float64'),
  institution: values('Attribute `institution` of the dataset', 'Polar Institute'),
  keyword: values('Keywords of the dataset', 'sea ice'),
  licence: values(`Licences of the dataset; \`${noLicence}\` for those that state none`, 'CC-BY-4.0'),
  kind: values('Kinds of datasets', 'grid'),
  attribute: values('Attributes of the dataset, as `name=value`', 'Conventions=CF-1.11'),
  bbox: text
    .optional()
    .describe('`west,south,east,north` in degrees, which overlaps the box that the dataset states')
    .meta({ examples: ['-25,34,45,72'] }),
  time: text
    .optional()
    .describe('`start/end`, which overlaps the time that the dataset states')
    .meta({ examples: ['2026-01-01/..'] }),
} satisfies Record<keyof SearchConditions, z.ZodType>

const storedSearchExample = { q: 'temperature', units: ['degC', 'K'] }

/** A search in answers. */
export const StoredSearch = z
  .object(members)
  .meta({
    id: 'StoredSearch',
    description: 'The conditions of a search that a dataset can meet, as in `/search`',
    examples: [storedSearchExample],
  })
export type StoredSearch = z.infer<typeof StoredSearch>

/** A search in requests. */
export const StoredSearchCreation = z
  .strictObject(members)
  .refine((search) => Object.values(search).some((condition) => condition !== undefined), 'must name a condition')
  .meta({
    id: 'StoredSearchCreation',
    description: 'Conditions that a dataset must meet, as in `/search`; all of them must hold',
    examples: [storedSearchExample],
  })
