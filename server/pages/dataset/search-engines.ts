// What search engines read of the page of a public dataset: a description, and the type Dataset of schema.org.
import type { JsonObject } from '@floe/storage/json'
import type { DecodedDataset } from '../../xarray/dataset.ts'
import { clipText } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'
import type { PageSubject } from '../page-subject.ts'
import { readCoverage } from './drawings/read-coverage.ts'

const maxTextLength = 5_000
const maxDescriptionLength = 300
const maxVariables = 100

/** The summary of a dataset, else its title, else the names of its first variables. */
export function describePage({ variables, attributes }: DecodedDataset, at: PageSubject): string {
  const names = variables.filter(({ isCoordinate }) => !isCoordinate).map(({ name }) => name)
  const stated = readText(attributes, 'summary') ?? readText(attributes, 'title')
  const text = stated ?? `Variables ${names.slice(0, 10).join(', ')} of ${at.repository} at ${at.ref.name}`
  return clipText(text, maxDescriptionLength)
}

/** The dataset in schema.org's words. What its attributes do not state is left out. */
export function writeStructuredData(dataset: DecodedDataset, at: PageSubject, group: string, links: PageLinks): object {
  const { variables, attributes } = dataset
  const { deployment, repository, ref, commit } = at
  const text = (name: string) => readText(attributes, name)
  const makeAbsolute = (path: string) => new URL(path, deployment.baseUrl).href
  const { area, period } = readCoverage(attributes)
  const creator = text('creator_name') ?? text('institution')
  return {
    '@context': 'https://schema.org/',
    '@type': 'Dataset',
    name: text('title') ?? (group === '' ? repository : `${repository}/${group}`),
    description: text('summary') ?? describePage(dataset, at),
    url: makeAbsolute(links.dataset(repository, ref.name, group)),
    version: commit.snapshotId,
    dateModified: commit.writtenAt.toISOString(),
    license: text('license'),
    keywords: text('keywords'),
    creator: creator && { '@type': 'Organization', name: creator },
    temporalCoverage: period && `${period.start.toISOString()}/${period.end.toISOString()}`,
    spatialCoverage: area && {
      '@type': 'Place',
      geo: { '@type': 'GeoShape', box: `${area.south} ${area.west} ${area.north} ${area.east}` },
    },
    variableMeasured: variables
      .filter(({ isCoordinate }) => !isCoordinate)
      .slice(0, maxVariables)
      .map(({ name, attributes }) => ({
        '@type': 'PropertyValue',
        name: clipText(name, maxDescriptionLength),
        description: readText(attributes, 'long_name', maxDescriptionLength),
        unitText: readText(attributes, 'units', maxDescriptionLength),
      })),
    includedInDataCatalog: { '@type': 'DataCatalog', name: deployment.org, url: makeAbsolute(links.home) },
  }
}

function readText(attributes: JsonObject, name: string, maxLength = maxTextLength): string | undefined {
  const value = attributes.get(name)
  return typeof value === 'string' && value !== '' ? clipText(value, maxLength) : undefined
}
