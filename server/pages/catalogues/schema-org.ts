// A dataset in the vocabulary of schema.org, and in that of Croissant, which extends it.
import type { CroissantDataset } from '@floe/contract'
import { mediaTypes } from '@floe/contract/constants'
import type { Encodable } from '@floe/storage/json'
import type { Box } from '../../self-description/extent/box.ts'
import type { Agent } from '../../self-description/read-agents.ts'
import type { StatedLicence } from '../../self-description/read-licence.ts'
import { writeCitation } from '../../self-description/write-citation.ts'
import { findPublicAddress } from '../open-address.ts'
import type { PageLinks } from '../page-links.ts'
import { linkSuccessor } from '../parts/remark-notes.ts'
import { listProducers } from '../../self-description/read-facts.ts'
import {
  cutText,
  type DatasetRecord,
  nameDataset,
  readRetraction,
  readText,
  summarizeDataset,
  writeInstant,
} from './dataset-record.ts'
import { icechunkType, locatePublished } from './published-asset.ts'

const maxVariables = 100

/**
 * Writes a `Dataset` of schema.org. Leaves out what the attributes do not state.
 *
 * @param links absolute
 */
export function schemaOrgDataset(record: DatasetRecord, links: PageLinks) {
  const distribution = listFiles(record, links).map(({ id: _, ...file }) => ({ '@type': 'DataDownload', ...file }))
  return { '@context': 'https://schema.org/', '@type': 'Dataset', ...describe(record, links), distribution }
}

/**
 * Writes a dataset of Croissant 1.0. It has no record sets, because the format cannot say how to read Zarr.
 *
 * @param links absolute
 */
export function croissantDataset(record: DatasetRecord, links: PageLinks): Encodable<CroissantDataset> {
  return {
    '@context': croissantContext,
    '@type': 'sc:Dataset',
    conformsTo: 'http://mlcommons.org/croissant/1.0',
    isLiveDataset: true,
    datePublished: record.at.commit.writtenAt.toISOString(),
    ...describe(record, links),
    citeAs: cite(record, links),
    distribution: listFiles(record, links).map(({ id, ...file }) => ({ '@type': 'cr:FileObject', '@id': id, ...file })),
  }
}

/** Croissant recommends BibTeX. */
function cite(record: DatasetRecord, links: PageLinks): string {
  const { at, group, facts } = record
  const { repository, commit } = at
  const url = links.dataset(repository, commit.snapshotId, group)
  const retraction = readRetraction(record)?.text ?? null
  return writeCitation(facts, { repository, group, ...commit, url, retraction }).bibtex
}

/** The context that the specification of Croissant 1.0 prescribes. */
const croissantContext = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  citeAs: 'cr:citeAs',
  column: 'cr:column',
  conformsTo: 'dct:conformsTo',
  cr: 'http://mlcommons.org/croissant/',
  rai: 'http://mlcommons.org/croissant/RAI/',
  data: { '@id': 'cr:data', '@type': '@json' },
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  dct: 'http://purl.org/dc/terms/',
  equivalentProperty: 'cr:equivalentProperty',
  examples: { '@id': 'cr:examples', '@type': '@json' },
  extract: 'cr:extract',
  field: 'cr:field',
  fileProperty: 'cr:fileProperty',
  fileObject: 'cr:fileObject',
  fileSet: 'cr:fileSet',
  format: 'cr:format',
  includes: 'cr:includes',
  isLiveDataset: 'cr:isLiveDataset',
  jsonPath: 'cr:jsonPath',
  key: 'cr:key',
  md5: 'cr:md5',
  parentField: 'cr:parentField',
  path: 'cr:path',
  recordSet: 'cr:recordSet',
  references: 'cr:references',
  regex: 'cr:regex',
  repeated: 'cr:repeated',
  replace: 'cr:replace',
  samplingRate: 'cr:samplingRate',
  sc: 'https://schema.org/',
  separator: 'cr:separator',
  source: 'cr:source',
  subField: 'cr:subField',
  transform: 'cr:transform',
}

/** The members that both spellings share. */
function describe(record: DatasetRecord, links: PageLinks) {
  const { at, group, facts } = record
  const { deployment, repository, ref, commit } = at
  const { bbox, startsAt, endsAt } = facts.extent
  const start = writeInstant(startsAt)
  const producers = listProducers(facts)
  const { contributors, publisher } = facts
  const retraction = readRetraction(record)
  const successor = retraction?.superseded_by
  return {
    name: nameDataset(record),
    description: summarizeDataset(record),
    url: links.dataset(repository, ref.name, group),
    version: commit.snapshotId,
    creativeWorkStatus: retraction && ('Retracted' as const),
    correction: successor ? linkSuccessor(successor, links) : undefined,
    dateModified: commit.writtenAt.toISOString(),
    license: facts.licence ? addressLicence(facts.licence) : undefined,
    keywords: facts.keywords.length > 0 ? facts.keywords : undefined,
    creator: producers.length > 0 ? producers.map(describeAgent) : undefined,
    contributor: contributors.length > 0 ? contributors.map(describeAgent) : undefined,
    publisher: publisher ? describeAgent(publisher) : undefined,
    identifier: facts.doi === null ? undefined : `https://doi.org/${facts.doi}`,
    temporalCoverage: start === null ? undefined : `${start}/${writeInstant(endsAt) ?? '..'}`,
    spatialCoverage: bbox ? { '@type': 'Place', geo: { '@type': 'GeoShape', box: writeBox(bbox) } } : undefined,
    variableMeasured: describeVariables(record),
    includedInDataCatalog: { '@type': 'DataCatalog', name: deployment.org, url: links.home },
  }
}

function describeAgent({ name, isPerson }: Agent) {
  return { '@type': isPerson ? 'Person' : 'Organization', name }
}

/** The address of a licence, else its text. */
export function addressLicence({ text, spdx, address }: StatedLicence): string {
  return address ?? (spdx === null ? text : `https://spdx.org/licenses/${spdx}.html`)
}

function writeBox([west, south, east, north]: Box): string {
  return [south, west, north, east > 180 ? east - 360 : east].join(' ')
}

function describeVariables({ variables }: DatasetRecord) {
  const data = variables.filter(({ isCoordinate }) => !isCoordinate).slice(0, maxVariables)
  if (data.length === 0) return undefined
  return data.map(({ name, attributes }) => ({
    '@type': 'PropertyValue',
    name: cutText(name),
    description: readText(attributes, 'long_name'),
    unitText: readText(attributes, 'units'),
  }))
}

/** What can be loaded: the schema, and the repository where the operator publishes it. */
function listFiles({ at, group, refusal }: DatasetRecord, links: PageLinks) {
  const { repository, ref, published } = at
  const place = group === '' ? ref.name : `${ref.name}, group ${group}`
  const schema = {
    id: 'info',
    name: 'info',
    description: 'Dimensions, variables and attributes as JSON',
    contentUrl: links.view(repository, ref.name, group, 'info'),
    encodingFormat: mediaTypes.json as string,
  }
  const files = refusal === null ? [schema] : []
  if (published === null) return files
  const address = findPublicAddress(at)
  const how = address === null ? '' : `, with icechunk.redirect_storage("${address}")`
  const data = {
    id: 'repository',
    name: 'repository',
    description: `Icechunk repository. Open ${place}${how}`,
    contentUrl: encodeURI(locatePublished(published).toWellFormed()),
    encodingFormat: icechunkType,
  }
  return [data, ...files]
}
