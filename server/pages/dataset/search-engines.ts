// What search engines read on the page of a public dataset: a description, and data in the vocabulary of schema.org.
import type { JsonObject } from '@floe/storage/json'
import { type Box, readExtent } from '../../self-description/read-extent.ts'
import type { DecodedDataset } from '../../xarray/dataset.ts'
import { clipText } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'
import type { PageSubject } from '../page-subject.ts'

const maxTextLength = 5_000
const maxDescriptionLength = 300
const maxVariables = 100

/** Describes a dataset: by its summary, or else its title, or else the names of its first variables. */
export function describePage({ variables, attributes }: DecodedDataset, at: PageSubject): string {
  const names = variables.filter(({ isCoordinate }) => !isCoordinate).map(({ name }) => name)
  const stated = readText(attributes, 'summary') ?? readText(attributes, 'title')
  const text = stated ?? `Variables ${names.slice(0, 10).join(', ')} of ${at.repository} at ${at.ref.name}`
  return clipText(text, maxDescriptionLength)
}

/** Writes a `Dataset` of schema.org. Leaves out what the attributes do not state. */
export function writeStructuredData(dataset: DecodedDataset, at: PageSubject, group: string, links: PageLinks): object {
  const { variables, attributes } = dataset
  const { deployment, repository, ref, commit } = at
  const text = (name: string) => readText(attributes, name)
  const makeAbsolute = (path: string) => new URL(path, deployment.baseUrl).href
  const { bbox, startsAt, endsAt } = readExtent(attributes, dataset)
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
    temporalCoverage: startsAt === null ? undefined : writePeriod(startsAt, endsAt),
    spatialCoverage: bbox ? { '@type': 'Place', geo: { '@type': 'GeoShape', box: writeBox(bbox) } } : undefined,
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

/** A period of ISO 8601; `..` stands for an end that is not stated. */
function writePeriod(startsAt: number, endsAt: number | null): string {
  return `${new Date(startsAt).toISOString()}/${endsAt === null ? '..' : new Date(endsAt).toISOString()}`
}

function writeBox([west, south, east, north]: Box): string {
  return [south, west, north, east > 180 ? east - 360 : east].join(' ')
}

function readText(attributes: JsonObject, name: string, maxLength = maxTextLength): string | undefined {
  const value = attributes.get(name)
  return typeof value === 'string' && value !== '' ? clipText(value, maxLength) : undefined
}
