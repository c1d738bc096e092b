// What search engines read on the page of a public dataset: a description, and data in the vocabulary of schema.org.
import type { StatedFacts } from '../../self-description/read-facts.ts'
import { shorten } from '../../text/shorten.ts'
import type { DecodedDataset } from '../../xarray/dataset.ts'
import { summarizeDataset } from '../catalogues/dataset-record.ts'
import { schemaOrgDataset } from '../catalogues/schema-org.ts'
import { buildPageLinks } from '../page-links.ts'
import type { PageSubject } from '../page-subject.ts'

const maxDescriptionLength = 300

type DescribedGroup = { readonly at: PageSubject; readonly group: string; readonly facts: StatedFacts }

/** Describes a dataset of a public deployment. Search engines cannot read private ones. */
export function describeForSearchEngines(
  { dimensions, variables }: DecodedDataset,
  { at, group, facts }: DescribedGroup,
) {
  const record = { at, group, facts, dimensions, variables, refusal: null }
  const { baseUrl, name, org } = at.deployment
  return {
    description: shorten(summarizeDataset(record), maxDescriptionLength),
    structuredData: schemaOrgDataset(record, buildPageLinks(baseUrl, name, org, '')),
  }
}
