// A dataset as a Collection of STAC.
import type { PublishedStorage, StacCollection } from '@floe/contract'
import { mediaTypes } from '@floe/contract/constants'
import { type Encodable, Members } from '@floe/storage/json'
import type { Box } from '../../self-description/extent/box.ts'
import { findPublicAddress } from '../open-address.ts'
import type { PageLinks } from '../page-links.ts'
import { nameRefusal } from '../parts/refusal.ts'
import { listProducers } from '../../self-description/read-facts.ts'
import { type DatasetRecord, nameDataset, readRetraction, summarizeDataset, writeInstant } from './dataset-record.ts'
import { icechunkType, locateGroup, locatePublished } from './published-asset.ts'
import { identifyDataset, linkPreview, linkStac } from './stac-catalog.ts'
import { describeDimensions, describeVariables } from './stac-cube.ts'

const extensions = {
  version: 'https://stac-extensions.github.io/version/v1.2.0/schema.json',
  datacube: 'https://stac-extensions.github.io/datacube/v2.3.0/schema.json',
  storage: 'https://stac-extensions.github.io/storage/v2.0.0/schema.json',
  scientific: 'https://stac-extensions.github.io/scientific/v1.0.0/schema.json',
  projection: 'https://stac-extensions.github.io/projection/v2.0.0/schema.json',
} as const

/** The name of the only scheme in `storage:schemes`. */
const schemeName = 'repository'

/** What the address of Floe that leads to the repository is for. */
const opensWith = 'For icechunk.redirect_storage'

/** @param links absolute */
export function stacCollection(record: DatasetRecord, links: PageLinks): Encodable<StacCollection> {
  const { at, group, facts, variables } = record
  const { commit, published } = at
  const { bbox, projection, startsAt, endsAt } = facts.extent
  const isCube = variables.length > 0
  const scheme = published && describeScheme(published)
  return {
    type: 'Collection',
    stac_version: '1.1.0',
    stac_extensions: [
      extensions.version,
      ...(isCube ? [extensions.datacube] : []),
      ...(scheme ? [extensions.storage] : []),
      ...(facts.doi === null ? [] : [extensions.scientific]),
      ...(projection ? [extensions.projection] : []),
    ],
    id: identifyDataset(at.deployment, at.repository, group),
    title: nameDataset(record),
    description: [summarizeDataset(record), ...noteUnknown(record)].join('\n\n'),
    keywords: facts.keywords.length > 0 ? facts.keywords : undefined,
    license: facts.licence?.spdx ?? 'other',
    providers: listProviders(record),
    extent: {
      spatial: { bbox: bbox === null ? [[-180, -90, 180, 90]] : writeBoxes(bbox) },
      temporal: { interval: [[writeInstant(startsAt), writeInstant(endsAt)]] },
    },
    version: commit.snapshotId,
    deprecated: readRetraction(record) ? true : undefined,
    updated: commit.writtenAt.toISOString(),
    'sci:doi': facts.doi ?? undefined,
    ...describeProjection(record),
    'cube:dimensions': isCube ? new Members(describeDimensions(record)) : undefined,
    'cube:variables': isCube ? new Members(describeVariables(record)) : undefined,
    'storage:schemes': scheme ? { [schemeName]: scheme } : undefined,
    assets: published ? describeAssets(record, published) : undefined,
    links: listLinks(record, links),
  }
}

/**
 * The box; where it crosses the 180th meridian, also both its parts, because STAC has the whole first. East is then
 * less than west. Source: RFC 7946, section 5.2.
 */
function writeBoxes([west, south, east, north]: Box): number[][] {
  if (east <= 180) return [[west, south, east, north]]
  return [
    [west, south, east - 360, north],
    [west, south, 180, north],
    [-180, south, east - 360, north],
  ]
}

/** The area as it is stated, if its reference system has a code. */
function describeProjection({ facts }: DatasetRecord) {
  const { projection } = facts.extent
  if (projection === undefined) return undefined
  const { code, footprint } = projection
  const area =
    footprint.kind === 'box'
      ? { 'proj:bbox': [...footprint.edges] }
      : { 'proj:transform': [...footprint.transform], 'proj:shape': [...footprint.shape] }
  return { 'proj:code': code, ...area }
}

const noBox =
  'No box is known here: the attributes state no area, or in a reference system that is not known. STAC requires a ' +
  'box, so there is that of the whole Earth, which says nothing.'

/** Says what a reader could take for facts. */
function noteUnknown({ facts, refusal }: DatasetRecord): string[] {
  const { bbox, startsAt, endsAt } = facts.extent
  return [
    ...(refusal === null ? [] : [`${nameRefusal(refusal)}: ${refusal.reason}`]),
    ...(bbox === null ? [noBox] : []),
    ...(startsAt === null && endsAt === null ? ['The attributes state no time.'] : []),
    ...(facts.licence === null ? ['The attributes state no licence.'] : []),
  ]
}

function listProviders({ facts }: DatasetRecord) {
  const { publisher } = facts
  const providers = [
    ...listProducers(facts).map(({ name }) => ({ name, roles: ['producer'] as const })),
    ...(publisher === null ? [] : [{ name: publisher.name, roles: ['host'] as const }]),
  ]
  return providers.length > 0 ? providers : undefined
}

/** Describes a store as the extension `storage` does; undefined for a web server, whose address says all. */
function describeScheme(published: PublishedStorage) {
  switch (published.storage) {
    case 's3': {
      const { bucket, region, endpoint, path_style: isPathStyle, anonymous } = published
      const shared = { bucket, ...(region === null ? {} : { region }), anonymous }
      if (endpoint === null)
        return { type: 'aws-s3', platform: 'https://{bucket}.s3.{region}.amazonaws.com', ...shared }
      const platform = isPathStyle ? endpoint : endpoint.replace('://', '://{bucket}.')
      return { type: 'custom-s3', platform, ...shared }
    }
    case 'gcs': {
      const { bucket, anonymous } = published
      return { type: 'gcs', platform: 'https://storage.googleapis.com/{bucket}', bucket, anonymous }
    }
    case 'azure': {
      const { account, anonymous } = published
      return { type: 'ms-azure', platform: 'https://{account}.blob.core.windows.net', account, anonymous }
    }
    case 'http':
      return undefined
  }
}

/**
 * The dataset at its ref and at its snapshot. `xpystac` opens such assets of root groups; it reads `version` and
 * `storage:refs`.
 */
function describeAssets(record: DatasetRecord, published: PublishedStorage) {
  const { at, group } = record
  const { ref, commit } = at
  const snapshot = { kind: 'snapshot', name: commit.snapshotId } as const
  const versions = ref.kind === 'snapshot' ? [snapshot] : [ref, snapshot]
  const isCloud = describeScheme(published) !== undefined
  return Object.fromEntries(
    versions.map(({ kind, name }) => [
      kind,
      {
        href: locateGroup(published, kind === 'snapshot' ? name : `${kind}.${encodeURIComponent(name)}`, group),
        type: icechunkType,
        title: `Icechunk repository, ${kind} ${name}`,
        roles: kind === 'branch' ? ['data', 'latest-version'] : ['data'],
        version: name,
        'storage:refs': isCloud ? [schemeName] : undefined,
        ...describeProjection(record),
      },
    ]),
  )
}

function listLinks(record: DatasetRecord, links: PageLinks) {
  const { at, group, facts, refusal } = record
  const { repository, ref, published } = at
  const page = { rel: 'alternate', href: links.dataset(repository, ref.name, group), type: mediaTypes.html }
  const info = links.view(repository, ref.name, group, 'info')
  const { licence, doi } = facts
  const address = findPublicAddress(at)
  const { link, repo } = readRetraction(record)?.superseded_by ?? { link: null, repo: null }
  return [
    linkStac('root', links.stac),
    linkStac('self', links.stacDataset(repository, ref.name, group)),
    linkStac('parent', links.stacRepository(repository)),
    { ...page, title: 'Page of the dataset' },
    ...(refusal === null ? [linkStac('describedby', info, 'Dimensions, variables and attributes')] : []),
    linkStac('version-history', links.history(repository, ref.name), `Commits of ${ref.name}`),
    ...(link === null ? [] : [{ rel: 'successor-version', href: link }]),
    ...(repo === null ? [] : [linkStac('successor-version', links.stacRepository(repo), repo)]),
    ...(published ? [{ rel: 'store', href: locatePublished(published), type: icechunkType }] : []),
    ...(address === null ? [] : [{ rel: 'alternate', href: address, type: icechunkType, title: opensWith }]),
    ...(licence !== null && licence.address !== null ? [{ rel: 'license', href: licence.address }] : []),
    ...(doi === null ? [] : [{ rel: 'cite-as', href: `https://doi.org/${doi}` }]),
    ...linkPreview(facts),
  ]
}
