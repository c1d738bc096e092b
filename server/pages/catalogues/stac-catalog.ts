// Catalogs of STAC: of a deployment, of a part of its repositories, and of a repository.
import type { StacCatalog } from '@floe/contract'
import { mediaTypes } from '@floe/contract/constants'
import type { Encodable } from '@floe/storage/json'
import type { PageLinks } from '../page-links.ts'
import type { PageSubject } from '../page-subject.ts'
import type { StatedFacts } from '../../self-description/read-facts.ts'
import { type DescribedRepository, pathOfDataset } from './dataset-record.ts'

/** Number of repositories that one catalog lists. */
export const repositoriesPerCatalog = 1_000

type Deployment = Pick<PageSubject['deployment'], 'org' | 'name'>

/** Identifies a dataset: `acme~demo~weather` is the root of a repository, `acme~demo~weather~wind~speed` a group. */
export function identifyDataset({ org, name }: Deployment, repository: string, group: string): string {
  return joinId([org, name, repository, ...(group === '' ? [] : group.split('/'))])
}

/** Identifies a catalog of a deployment. Names are not empty, so no dataset has the id of a catalog. */
function identifyCatalog({ org, name }: Deployment, part: { readonly repository: string } | { readonly page: number }) {
  return joinId([org, name, '', ...('page' in part ? ['', String(part.page)] : [part.repository])])
}

/**
 * Joins names by `~` to an id that is one segment of an address as it stands, because APIs of STAC put ids into paths.
 * `!` and two hexadecimal digits stand for each byte of UTF-8 that is neither letter, digit, `-`, `_` nor `.`, so that
 * different names have different ids.
 */
function joinId(names: readonly string[]): string {
  const encode = (name: string) => encodeURIComponent(name.toWellFormed()).replaceAll(/[!~*'()]/g, encodeByte)
  return names.map((name) => encode(name).replaceAll('%', '!')).join('~')
}

function encodeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** A link to a document of STAC. */
export function linkStac(rel: string, href: string, title?: string) {
  return { rel, href, type: mediaTypes.json, title }
}

/** Links to the thumbnail. STAC has this link besides the asset, because catalogs have no assets. */
export function linkPreview({ thumbnail }: Pick<StatedFacts, 'thumbnail'>) {
  return thumbnail === null ? [] : [{ rel: 'preview', href: thumbnail, title: 'Thumbnail' }]
}

/**
 * The catalog of a deployment.
 *
 * @param names of all repositories, sorted
 * @param links absolute
 */
export function stacCatalog(
  deployment: Deployment,
  names: readonly string[],
  links: PageLinks,
): Encodable<StacCatalog> {
  const pages = Math.ceil(names.length / repositoriesPerCatalog)
  const children =
    pages > 1
      ? Array.from({ length: pages }, (_, index) => {
          const listed = takePage(names, index + 1)
          return linkStac('child', links.stacPage(index + 1), `${listed[0]} to ${listed.at(-1)}`)
        })
      : listRepositories(names, links)
  return {
    type: 'Catalog',
    stac_version: '1.1.0',
    id: joinId([deployment.org, deployment.name]),
    title: `${deployment.org} ${deployment.name}`,
    description: `Icechunk repositories of ${deployment.org} in the deployment ${deployment.name}`,
    links: [
      linkStac('root', links.stac),
      linkStac('self', links.stac),
      { rel: 'alternate', href: links.home, type: mediaTypes.html, title: 'Page of the repositories' },
      ...children,
    ],
  }
}

/** The catalog of a part of the repositories. Pages count from 1. */
export function stacCatalogPage(
  deployment: Deployment,
  { names, page }: { readonly names: readonly string[]; readonly page: number },
  links: PageLinks,
): Encodable<StacCatalog> {
  return {
    type: 'Catalog',
    stac_version: '1.1.0',
    id: identifyCatalog(deployment, { page }),
    title: `Repositories, page ${page}`,
    description: `Icechunk repositories of ${deployment.org} in the deployment ${deployment.name}, page ${page}`,
    links: [
      linkStac('root', links.stac),
      linkStac('self', links.stacPage(page)),
      linkStac('parent', links.stac),
      ...listRepositories(takePage(names, page), links),
    ],
  }
}

function takePage(names: readonly string[], page: number): readonly string[] {
  return names.slice((page - 1) * repositoriesPerCatalog, page * repositoriesPerCatalog)
}

function listRepositories(names: readonly string[], links: PageLinks) {
  return names.map((name) => linkStac('child', links.stacRepository(name), name))
}

/**
 * The catalog of a repository.
 *
 * @param groups paths of the groups with arrays at the ref
 */
export function stacRepository(
  {
    deployment,
    repo,
    ref,
    facts,
  }: DescribedRepository & Pick<PageSubject, 'ref'> & { readonly deployment: Deployment },
  groups: readonly string[],
  links: PageLinks,
): Encodable<StacCatalog> {
  return {
    type: 'Catalog',
    stac_version: '1.1.0',
    id: identifyCatalog(deployment, { repository: repo }),
    title: facts.title ?? repo,
    description: facts.summary ?? `Datasets of the Icechunk repository ${repo} at ${ref.name}`,
    links: [
      linkStac('root', links.stac),
      linkStac('self', links.stacRepository(repo)),
      linkStac('parent', links.stac),
      { rel: 'alternate', href: links.repository(repo), type: mediaTypes.html, title: 'Page of the repository' },
      ...linkPreview(facts),
      ...groups.map((group) => linkStac('child', links.stacDataset(repo, ref.name, group), pathOfDataset(repo, group))),
    ],
  }
}
