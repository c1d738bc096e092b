// Catalogs of DCAT-AP 3.0 in JSON-LD: of a deployment, and of a repository with its datasets.
import type { DcatCatalog } from '@floe/contract'
import { mediaTypes } from '@floe/contract/constants'
import type { Encodable } from '@floe/storage/json'
import type { Box } from '../../self-description/extent/box.ts'
import type { StatedLicence } from '../../self-description/read-licence.ts'
import type { PageLinks } from '../page-links.ts'
import type { PageSubject } from '../page-subject.ts'
import { linkSuccessor } from '../parts/remark-notes.ts'
import { listProducers } from '../../self-description/read-facts.ts'
import {
  type DatasetRecord,
  type DescribedRepository,
  nameDataset,
  readRetraction,
  summarizeDataset,
  writeInstant,
} from './dataset-record.ts'
import { icechunkType, locatePublished } from './published-asset.ts'
import { addressLicence } from './schema-org.ts'

const context = {
  adms: 'http://www.w3.org/ns/adms#',
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  geo: 'http://www.opengis.net/ont/geosparql#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
}

type Deployment = Pick<PageSubject['deployment'], 'org' | 'name' | 'isPublic'>

/**
 * The catalog of a deployment, which names the catalogs of its repositories. Their entries are made while the catalog
 * is written.
 *
 * @param links absolute
 */
export function dcatCatalog(
  deployment: Deployment,
  names: readonly string[],
  links: PageLinks,
): Encodable<DcatCatalog> {
  return {
    ...describeCatalog(deployment, links.dcat()),
    'dct:title': `${deployment.org} ${deployment.name}`,
    'dct:description': `Icechunk repositories of ${deployment.org} in the deployment ${deployment.name}`,
    'foaf:homepage': document(links.home),
    'dcat:catalog': names.values().map((name) => ({ '@id': links.dcat(name) })),
  }
}

/**
 * The catalog of a repository.
 *
 * @param records the datasets of a ref; read while the catalog is written
 */
export function dcatRepository(
  { deployment, repo, facts }: DescribedRepository & { readonly deployment: Deployment },
  records: IteratorObject<DatasetRecord>,
  links: PageLinks,
): Encodable<DcatCatalog> {
  return {
    ...describeCatalog(deployment, links.dcat(repo)),
    'dct:title': facts.title ?? repo,
    'dct:description': facts.summary ?? `Datasets of the Icechunk repository ${repo}`,
    'foaf:homepage': document(links.repository(repo)),
    'dcat:dataset': records.map((record) => describeDataset(record, links)),
  }
}

function describeCatalog({ org }: Deployment, address: string) {
  return { '@context': context, '@id': address, '@type': 'dcat:Catalog' as const, 'dct:publisher': nameAgent(org) }
}

function describeDataset(record: DatasetRecord, links: PageLinks) {
  const { at, group, facts } = record
  const { deployment, repository, ref, commit } = at
  const { bbox } = facts.extent
  const page = links.dataset(repository, ref.name, group)
  const retraction = readRetraction(record)
  const successor = retraction?.superseded_by
  const producers = listProducers(facts)
  return {
    '@id': page,
    '@type': 'dcat:Dataset',
    'dct:identifier': facts.doi === null ? page : `https://doi.org/${facts.doi}`,
    'dct:title': nameDataset(record),
    'dct:description': summarizeDataset(record),
    'dct:publisher': nameAgent(facts.publisher?.name ?? facts.institution ?? deployment.org),
    'dct:creator': producers.length > 0 ? producers.map(({ name }) => nameAgent(name)) : undefined,
    'dcat:keyword': facts.keywords.length > 0 ? facts.keywords : undefined,
    'dcat:version': commit.snapshotId,
    'adms:status': retraction && { '@id': 'http://purl.org/adms/status/Deprecated' },
    'dct:isReplacedBy': successor ? { '@id': linkSuccessor(successor, links) } : undefined,
    'dct:modified': { '@type': 'xsd:dateTime', '@value': commit.writtenAt.toISOString() },
    'dct:spatial': bbox
      ? { '@type': 'dct:Location', 'dcat:bbox': { '@type': 'geo:wktLiteral', '@value': writeWellKnownText(bbox) } }
      : undefined,
    'dct:temporal': describePeriod(record),
    'dct:accessRights': deployment.isPublic ? { '@id': publicAccess, '@type': 'dct:RightsStatement' } : undefined,
    'dcat:landingPage': document(page),
    'dcat:distribution': describeDistributions(record, links),
  }
}

const publicAccess = 'http://publications.europa.eu/resource/authority/access-right/PUBLIC'

function document(address: string) {
  return { '@id': address, '@type': 'foaf:Document' }
}

function nameAgent(name: string) {
  return { '@type': 'foaf:Agent', 'foaf:name': name }
}

function describePeriod({ facts }: DatasetRecord) {
  const [start, end] = [writeInstant(facts.extent.startsAt), writeInstant(facts.extent.endsAt)]
  if (start === null && end === null) return undefined
  const write = (instant: string | null) =>
    instant === null ? undefined : { '@type': 'xsd:dateTime', '@value': instant }
  return { '@type': 'dct:PeriodOfTime', 'dcat:startDate': write(start), 'dcat:endDate': write(end) }
}

/** Where the box crosses the 180th meridian, it is two. */
function writeWellKnownText([west, south, east, north]: Box): string {
  const boxes = east > 180 ? [[west, 180] as const, [-180, east - 360] as const] : [[west, east] as const]
  const polygons = boxes.map(
    ([west, east]) => `((${west} ${south},${east} ${south},${east} ${north},${west} ${north},${west} ${south}))`,
  )
  return polygons.length === 1 ? `POLYGON${polygons[0]}` : `MULTIPOLYGON(${polygons.join(',')})`
}

function describeDistributions({ at, group, facts, refusal }: DatasetRecord, links: PageLinks) {
  const { repository, ref, published } = at
  const shared = { '@type': 'dcat:Distribution', ...describeLicence(facts.licence) }
  const info = {
    ...shared,
    'dct:title': 'Dimensions, variables and attributes',
    'dcat:accessURL': { '@id': links.view(repository, ref.name, group, 'info') },
    'dcat:mediaType': { '@id': `${mediaTypesOfIana}${mediaTypes.json}`, '@type': 'dct:MediaType' },
  }
  const data = published && {
    ...shared,
    'dct:title': 'Icechunk repository',
    'dct:description': `${icechunkType}; open ${group === '' ? ref.name : `${ref.name}, group ${group}`}`,
    'dcat:accessURL': { '@id': encodeURI(locatePublished(published).toWellFormed()) },
  }
  return [...(data ? [data] : []), ...(refusal === null ? [info] : [])]
}

const mediaTypesOfIana = 'http://www.iana.org/assignments/media-types/'

/** The address of a licence, or its text as a statement of rights. */
function describeLicence(licence: StatedLicence | null) {
  if (licence === null) return {}
  if (licence.spdx !== null || licence.address !== null)
    return { 'dct:license': { '@id': addressLicence(licence), '@type': 'dct:LicenseDocument' } }
  return { 'dct:rights': { '@type': 'dct:RightsStatement', 'rdfs:label': licence.text } }
}
