// Builds every address that a page links to.
import type { RoutePath } from '@floe/contract'
import {
  buildAddress,
  fillPath,
  metaPrefix,
  type NamesOf,
  orgPrefix,
  repoPrefix,
  type ViewName,
  viewNames,
} from '@floe/contract/constants'

/** The addresses of the pages of one deployment, for `href`. */
export type PageLinks = ReturnType<typeof buildPageLinks>

/** Parameters of a query. An array repeats its parameter. */
export type LinkQuery = { readonly [name: string]: string | number | readonly string[] | undefined }

/** The scripts in `assets/` that pages of a deployment load. */
export type PageScript = 'area' | 'copy' | 'filter' | 'last-changes' | 'search' | 'sort'

/** How many of the last commits a page of a group examines to tell when its variables were changed. */
const commitsOfLastChanges = 10

const views: ReadonlySet<string> = new Set(viewNames)

/** The path of a route of a deployment, below its prefix. */
type MetaPath = RoutePath extends infer Path ? (Path extends `${typeof metaPrefix}${infer Rest}` ? Rest : never) : never

/**
 * Builds the links of one deployment. `v1` and `assetsRoot` have no trailing slash. Group paths have no leading slash;
 * the root group is `''`.
 */
export function buildPageLinks(v1: string, deployment: string, org: string, assetsRoot: string) {
  const link = makeLink(buildAddress(v1, metaPrefix, { deployment, org }))
  return {
    home: link('/', {}),
    docs: link('/docs', {}),
    redoc: link('/redoc', {}),
    openapi: link('/openapi.json', {}),
    /** The documentation of Floe. */
    help: `${v1.slice(0, -'/v1'.length)}/help/`,
    stylesheet: `${assetsRoot}/web/style.css`,
    script: (name: PageScript) => `${assetsRoot}/web/${name}.js`,
    /** A page of the repositories, with the `filter`, the `state` and the `page` of the query. */
    repositories: (query: LinkQuery) => link('/', {}, query),
    /** The search page. Without parameters, the address to which search forms lead. */
    search: (query: LinkQuery = {}) => link('/search', {}, query),
    /** The repositories that declare virtual chunk containers at an address, as JSON. */
    sources: (prefix: string) => link('/sources', {}, { prefix }),
    repository: (repo: string) => link('/discovery/:repo', { repo }),
    /** The settings page of a repository, or of the organisation. It needs an administrator's key. */
    settings: (repo?: string) => buildSettingsAddress(v1, org, repo),
    ref: (repo: string, ref: string) => link('/discovery/:repo/:ref', { repo, ref }),
    /** The commits of a ref, newest first; with `before`, only those older than that commit. */
    history: (repo: string, ref: string, query: LinkQuery = {}) => link('/history/:repo/:ref', { repo, ref }, query),
    /** The commits of a ref that changed a path. */
    pathHistory: (repo: string, ref: string, path: string) =>
      link('/history/:repo/:ref', { repo, ref }, { path: writePathPattern(path) }),
    /** The last commits of a ref, as JSON, with what they changed below a group. */
    lastChanges: (repo: string, ref: string, group: string) => {
      const path = group === '' ? '**' : `${writePathPattern(group)}/**`
      return link('/history/:repo/:ref', { repo, ref }, { path, limit: commitsOfLastChanges, format: 'json' })
    },
    /** The operations log of a repository, newest first; with `before`, only entries older than that cursor. */
    operations: (repo: string, before?: string) => link('/operations/:repo', { repo }, { before }),
    diff: (repo: string, from: string, to: string) => link('/diff/:repo/:from/:to', { repo, from, to }),
    /** Whether the changes between two refs break readers, as JSON. */
    compatibility: (repo: string, from: string, to: string) =>
      link('/compatibility/:repo/:from/:to', { repo, from, to }),
    /** The heads of a branch, and which of them are good. */
    good: (repo: string, branch: string) => link('/good/:repo/:ref', { repo, ref: branch }),
    /** How many chunks are written of the arrays below a group, as JSON. */
    completeness: (repo: string, ref: string, group: string) =>
      link('/completeness/:repo/:ref', { repo, ref }, { group }),
    /** The gaps of the arrays below a group, or of those that `query` selects. */
    gaps: (repo: string, ref: string, query: LinkQuery = {}) => link('/gaps/:repo/:ref', { repo, ref }, query),
    /** The gaps of an array. */
    arrayGaps: (repo: string, ref: string, path: string) =>
      link('/gaps/:repo/:ref', { repo, ref }, { path: writePathPattern(path) }),
    /** The address to which the form that compares two refs leads, with `from` and `to` in its query. */
    chooseDiff: (repo: string) => link('/diff/:repo', { repo }),
    /** The address to which the form that switches to another time leads, with `ref`, `at` and `group` in its query. */
    chooseTime: (repo: string) => link('/datasets/:repo', { repo }),
    /** The page of a group. If the group is called like a view, a trailing slash tells the group from the view. */
    dataset: (repo: string, ref: string, group: string) =>
      link('/datasets/:repo/:ref/:group', { repo, ref, group }) +
      (views.has(group.slice(group.lastIndexOf('/') + 1)) ? '/' : ''),
    view: (repo: string, ref: string, group: string, view: ViewName) =>
      link(`/datasets/:repo/:ref/:group/${view}`, { repo, ref, group }),
    ...buildCatalogueLinks(link),
  }
}

/** Makes the function that links to the routes of a deployment. */
function makeLink(metaRoot: string) {
  return <Path extends MetaPath>(path: Path, names: NamesOf<Path>, query: LinkQuery = {}) =>
    metaRoot + fillPath(path, names) + writeQuery(query)
}

/** Builds the addresses of the catalogues of others. */
function buildCatalogueLinks(link: ReturnType<typeof makeLink>) {
  return {
    /** The sitemap of a repository; without one, the index of all sitemaps. */
    sitemap: (repo?: string) => link('/sitemap.xml', {}, { repo }),
    /** The dataset in the vocabulary of Croissant. */
    croissant: (repo: string, ref: string, group: string) => link('/croissant/:repo/:ref/:group', { repo, ref, group }),
    /** The catalog of DCAT of a repository; without one, that of the deployment. */
    dcat: (repo?: string) => (repo === undefined ? link('/dcat', {}) : link('/dcat/:repo', { repo })),
    /** The catalog of STAC: of the deployment, of a part of its repositories, and of one repository. */
    stac: link('/stac', {}),
    stacPage: (page: number) => link('/stac/pages/:page', { page: String(page) }),
    stacRepository: (repo: string) => link('/stac/repositories/:repo', { repo }),
    stacDataset: (repo: string, ref: string, group: string) =>
      link('/stac/datasets/:repo/:ref/:group', { repo, ref, group }),
  }
}

/** Links to the commits of a ref as a feed; with `path`, to those that changed it. */
export function linkFeed(repository: string, ref: string, links: PageLinks, path?: string) {
  const text = ['Commits of', [repository, ref, path ?? []].flat().join(', ')].join(' ')
  return { text, type: 'application/atom+xml', href: links.history(repository, ref, { path, format: 'atom' }) }
}

/** Makes the id of a variable on the page of its group, for links to it. */
export function makeVariableId(name: string): string {
  return `variable-${encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27')}`
}

/**
 * Builds the address of the settings page of a repository, or of an organisation. It exists without a deployment too.
 */
export function buildSettingsAddress(v1: string, org: string, repo?: string): string {
  return repo === undefined
    ? buildAddress(v1, `${orgPrefix}/settings`, { org })
    : buildAddress(v1, `${repoPrefix}/settings`, { org, repo })
}

/** Writes `?name=value&...`. Leaves out parameters without a value, and empty values. */
function writeQuery(query: LinkQuery): string {
  const pairs = Object.entries(query).flatMap(([name, values = []]) =>
    [values].flat().map((value) => [name, String(value)]),
  )
  const parameters = new URLSearchParams(pairs.filter(([, value]) => value !== ''))
  return parameters.size > 0 ? `?${parameters}` : ''
}

/** Longest path that is written as a whole, in characters. */
const maxPatternLength = 240

/**
 * Writes the pattern that matches a path. It matches others too if the path is very long, or has characters that
 * patterns cannot contain.
 */
function writePathPattern(path: string): string {
  const pattern = path.slice(0, maxPatternLength).replaceAll(/[*\u0000-\u001f\u007f-\u009f]/g, '?')
  return path.length > maxPatternLength ? `${pattern}**` : pattern
}
