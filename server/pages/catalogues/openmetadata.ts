// A dataset as a request that creates a container of OpenMetadata, with variables as columns. Source of the members:
// the models of openmetadata-ingestion 2.0. Tags and owners would have to exist there, so the description has them.
import type { OpenMetadataContainer } from '@floe/contract'
import type { Encodable } from '@floe/storage/json'
import { listProducers } from '../../self-description/read-facts.ts'
import { shortenName } from '../../text/shorten-name.ts'
import type { DecodedVariable } from '../../xarray/dataset.ts'
import type { PageLinks } from '../page-links.ts'
import {
  type DatasetRecord,
  listFacts,
  nameDataset,
  pathOfDataset,
  summarizeDataset,
  summarizeVariable,
} from './dataset-record.ts'

type Column = OpenMetadataContainer['dataModel']['columns'][number]

/** Longer names are shortened, in code points: OpenMetadata refuses them. */
const maxNameLength = 256

/** @param links absolute; null where no service has a page of the dataset */
export function openMetadataContainer(
  record: DatasetRecord,
  links: PageLinks | null,
): Encodable<OpenMetadataContainer> {
  const { at, group, variables } = record
  return {
    name: writeName(`${at.deployment.org}/${pathOfDataset(at.repository, group)}`),
    displayName: nameDataset(record),
    description: describe(record),
    service: 'icechunk',
    sourceUrl: links?.dataset(at.repository, at.ref.name, group),
    dataModel: { isPartitioned: false, columns: variables.map(describeColumn) },
  }
}

function describe(record: DatasetRecord): string {
  const { facts } = record
  const listed = {
    keywords: facts.keywords.join(', '),
    creators: listProducers(facts)
      .map(({ name }) => name)
      .join(', '),
    publisher: facts.publisher?.name,
    ...listFacts(record),
  }
  const lines = Object.entries(listed).flatMap(([name, text]) => (text ? [`- ${name}: ${text}`] : []))
  return `${summarizeDataset(record)}\n\n${lines.join('\n')}`
}

function describeColumn(variable: DecodedVariable): Column {
  const { name, type, dimensions } = variable
  const elements = columnTypes[type.kind]
  return {
    name: writeName(name),
    ...(dimensions.length > 0 ? { dataType: 'ARRAY', arrayDataType: elements } : { dataType: elements }),
    dataTypeDisplay: dimensions.length > 0 ? `${type.text}(${dimensions.join(', ')})` : type.text,
    description: summarizeVariable(variable),
  }
}

const columnTypes = {
  b: 'BOOLEAN',
  i: 'INT',
  u: 'UINT',
  f: 'FLOAT',
  c: 'UNKNOWN',
  m: 'INTERVAL',
  M: 'TIMESTAMP',
  S: 'BYTES',
  U: 'STRING',
  T: 'STRING',
  V: 'UNKNOWN',
  O: 'UNKNOWN',
} as const satisfies Record<DecodedVariable['type']['kind'], Column['dataType']>

/** What OpenMetadata refuses in names, and the words that its own connectors write instead. */
const reserved: Readonly<Record<string, string>> = {
  '::': '__reserved__colon__',
  '>': '__reserved__arrow__',
  '"': '__reserved__quote__',
  '\n': '__reserved__newline__',
  '\r': '__reserved__carriage_return__',
  '\t': '__reserved__tab__',
}

function writeName(name: string): string {
  const written = name.toWellFormed().replaceAll(/::|[>"\n\r\t]/g, (text) => reserved[text] ?? text)
  return shortenName(Array.from(written), maxNameLength, () => 1)
}
