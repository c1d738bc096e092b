// A dataset as metadata change proposals of DataHub: one for each aspect that has something to state. Source of the
// aspects: the models of acryl-datahub 1.7.
import type { DataHubProposals } from '@floe/contract'
import { type Encodable, encodeJson, type PlainJson } from '@floe/storage/json'
import { listProducers } from '../../self-description/read-facts.ts'
import { shortenName } from '../../text/shorten-name.ts'
import type { DecodedVariable } from '../../xarray/dataset.ts'
import { findPublicAddress } from '../open-address.ts'
import type { PageLinks } from '../page-links.ts'
import {
  type DatasetRecord,
  listFacts,
  nameDataset,
  pathOfDataset,
  readRetraction,
  readText,
  summarizeDataset,
  summarizeVariable,
} from './dataset-record.ts'
import { addressLicence } from './schema-org.ts'

type Proposal = DataHubProposals[number]

type Aspect = Readonly<Record<string, PlainJson | undefined>>

/**
 * Longest name in a URN, in characters of a URL that has it as a parameter. DataHub refuses URNs of more than 512; what
 * is around a name takes at most 71.
 */
const maxNameSize = 440

const platform = 'urn:li:dataPlatform:icechunk'

/** Whom DataHub names where nobody is known. */
const unknownUser = 'urn:li:corpuser:unknown'

/** @param links absolute; null where no service has a page of the dataset */
export function dataHubProposals(record: DatasetRecord, links: PageLinks | null): Encodable<DataHubProposals> {
  const { at, group } = record
  const name = nameInUrn(`${at.deployment.org}/${pathOfDataset(at.repository, group)}`)
  const aspects: readonly (readonly [Proposal['aspectName'], Aspect | undefined])[] = [
    ['datasetProperties', describeDataset(record, links)],
    ['schemaMetadata', record.variables.length > 0 ? describeFields(record, name) : undefined],
    ['globalTags', describeTags(record)],
    ['ownership', describeOwners(record)],
    ['institutionalMemory', describeLinks(record)],
    ['deprecation', describeRetraction(record)],
  ]
  const shared = { entityType: 'dataset', entityUrn: `urn:li:dataset:(${platform},${name},PROD)` } as const
  return aspects.flatMap(([aspectName, json]) =>
    json === undefined
      ? []
      : [{ ...shared, changeType: 'UPSERT' as const, aspectName, aspect: { json: encodeJson(json) } }],
  )
}

function describeDataset(record: DatasetRecord, links: PageLinks | null) {
  const { at, group } = record
  return {
    name: nameDataset(record),
    description: summarizeDataset(record),
    externalUrl: links?.dataset(at.repository, at.ref.name, group),
    lastModified: { time: at.commit.writtenAt.getTime() },
    customProperties: listFacts(record),
  }
}

function describeFields({ variables }: DatasetRecord, name: string) {
  return {
    schemaName: name,
    platform,
    version: 0,
    hash: '',
    platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
    fields: variables.map(describeField),
  }
}

function describeField(variable: DecodedVariable) {
  const { name, type, dimensions, attributes } = variable
  const [units, standardName] = [readText(attributes, 'units'), readText(attributes, 'standard_name')]
  return {
    fieldPath: name,
    type: { type: { [`com.linkedin.schema.${fieldTypes[type.kind]}`]: {} } },
    nativeDataType: type.text,
    description: summarizeVariable(variable),
    jsonProps: JSON.stringify({ dimensions, units, standard_name: standardName }),
  }
}

/** The nearest types of DataHub. Complex numbers and durations are numbers. */
const fieldTypes = {
  b: 'BooleanType',
  i: 'NumberType',
  u: 'NumberType',
  f: 'NumberType',
  c: 'NumberType',
  m: 'NumberType',
  M: 'TimeType',
  S: 'BytesType',
  U: 'StringType',
  T: 'StringType',
  V: 'RecordType',
  O: 'NullType',
} as const satisfies Record<DecodedVariable['type']['kind'], string>

function describeTags({ facts: { keywords } }: DatasetRecord) {
  if (keywords.length === 0) return undefined
  return { tags: [...new Set(keywords.map((keyword) => `urn:li:tag:${nameInUrn(keyword)}`))].map((tag) => ({ tag })) }
}

/** Creators, else the institution, are technical owners; the publisher is a business owner. */
function describeOwners({ facts }: DatasetRecord) {
  const agents = [
    ...listProducers(facts).map((agent) => ({ ...agent, type: 'TECHNICAL_OWNER' })),
    ...(facts.publisher === null ? [] : [{ ...facts.publisher, type: 'BUSINESS_OWNER' }]),
  ]
  if (agents.length === 0) return undefined
  const owners = agents.map(({ name, isPerson, type }) => ({
    owner: `urn:li:${isPerson ? 'corpuser' : 'corpGroup'}:${nameInUrn(name)}`,
    type,
  }))
  return { owners }
}

function describeLinks({ at, facts: { doi, licence } }: DatasetRecord) {
  const address = findPublicAddress(at)
  const links = [
    ...(doi === null ? [] : [{ url: `https://doi.org/${doi}`, description: 'DOI' }]),
    ...(licence && (licence.spdx ?? licence.address) !== null
      ? [{ url: addressLicence(licence), description: 'License' }]
      : []),
    ...(address === null ? [] : [{ url: address, description: 'For icechunk.redirect_storage' }]),
  ]
  if (links.length === 0) return undefined
  const createStamp = { time: at.commit.writtenAt.getTime(), actor: unknownUser }
  return { elements: links.map((link) => ({ ...link, createStamp })) }
}

function describeRetraction(record: DatasetRecord) {
  const retraction = readRetraction(record)
  return retraction && { deprecated: true, note: retraction.text, actor: unknownUser }
}

function nameInUrn(name: string): string {
  return shortenName(Array.from(name.toWellFormed(), escapeCharacter), maxNameSize, sizeInUrl)
}

/** Escapes what has a meaning in URNs of DataHub. */
function escapeCharacter(character: string): string {
  if (!/[%,()␟]/.test(character)) return character
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join('')
}

function sizeInUrl(text: string): number {
  return new URLSearchParams({ '': text }).toString().length - '='.length
}
