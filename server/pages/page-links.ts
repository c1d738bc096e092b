// Builds every address that a page links to. Only this file percent-encodes names.
import { type ViewName, viewNames } from '@floe/contract/constants'

/** The addresses of the pages of one deployment, for `href`. */
export type PageLinks = ReturnType<typeof buildPageLinks>

/** Parameters of a query. An array repeats its parameter. */
export type LinkQuery = { readonly [name: string]: string | number | readonly string[] | undefined }

/** How many of the last commits a page of a group examines to tell when its variables were changed. */
const commitsOfLastChanges = 10

const views: ReadonlySet<string> = new Set(viewNames)

/**
 * Builds the links of one deployment. `v1` and `assetsRoot` have no trailing slash. Names of deployments and
 * organisations need no encoding. Group paths have no leading slash; the root group is `''`.
 */
export function buildPageLinks(v1: string, deployment: string, org: string, assetsRoot: string) {
  const metaRoot = `${v1}/services/${deployment}/${org}/_meta`
  const datasetAddress = (repo: string, ref: string, group: string) =>
    `${metaRoot}/datasets/${encodeRef(repo, ref)}${encodeGroup(group)}`
  return {
    home: `${metaRoot}/`,
    docs: `${metaRoot}/docs`,
    redoc: `${metaRoot}/redoc`,
    openapi: `${metaRoot}/openapi.json`,
    /** The documentation of Floe. */
    help: `${v1.slice(0, -'/v1'.length)}/help/`,
    stylesheet: `${assetsRoot}/web/style.css`,
    copyScript: `${assetsRoot}/web/copy.js`,
    filterScript: `${assetsRoot}/web/filter.js`,
    historyScript: `${assetsRoot}/web/last-changes.js`,
    searchScript: `${assetsRoot}/web/search.js`,
    sortScript: `${assetsRoot}/web/sort.js`,
    /** A page of the repositories whose name contains the words of the filter. Pages count from 1. */
    repositories: (filter: string, page: number) =>
      `${metaRoot}/${writeQuery({ filter, page: page > 1 ? String(page) : '' })}`,
    /** The search page. Without parameters, the address to which search forms lead. */
    search: (query: LinkQuery = {}) => `${metaRoot}/search${writeQuery(query)}`,
    /** The repositories that declare virtual chunk containers at an address, as JSON. */
    sources: (prefix: string) => `${metaRoot}/sources${writeQuery({ prefix })}`,
    repository: (repo: string) => `${metaRoot}/discovery/${encodeSegment(repo)}`,
    /** The settings page of a repository, or of the organisation. It needs an administrator's key. */
    settings: (repo?: string) => buildSettingsAddress(v1, org, repo),
    ref: (repo: string, ref: string) => `${metaRoot}/discovery/${encodeRef(repo, ref)}`,
    /** The commits of a ref, newest first; with `before`, only those older than that commit. */
    history: (repo: string, ref: string, query: LinkQuery = {}) =>
      `${metaRoot}/history/${encodeRef(repo, ref)}${writeQuery(query)}`,
    /** The commits of a ref that changed a path. */
    pathHistory: (repo: string, ref: string, path: string) =>
      `${metaRoot}/history/${encodeRef(repo, ref)}${writeQuery({ path: writePattern(path) })}`,
    /** The last commits of a ref, as JSON, with what they changed below a group. */
    lastChanges: (repo: string, ref: string, group: string) =>
      `${metaRoot}/history/${encodeRef(repo, ref)}${writeQuery({
        path: group === '' ? '**' : `${writePattern(group)}/**`,
        limit: String(commitsOfLastChanges),
        format: 'json',
      })}`,
    /** The operations log of a repository, newest first; with `before`, only entries older than that cursor. */
    operations: (repo: string, before?: string) =>
      `${metaRoot}/operations/${encodeSegment(repo)}${writeQuery({ before })}`,
    diff: (repo: string, from: string, to: string) => `${metaRoot}/diff/${encodeRef(repo, from)}/${encodeSegment(to)}`,
    /** Whether the changes between two refs break readers, as JSON. */
    compatibility: (repo: string, from: string, to: string) =>
      `${metaRoot}/compatibility/${encodeRef(repo, from)}/${encodeSegment(to)}`,
    /** How many chunks are written of the arrays below a group, as JSON. */
    completeness: (repo: string, ref: string, group: string) =>
      `${metaRoot}/completeness/${encodeRef(repo, ref)}${writeQuery({ group })}`,
    /** The address to which the form that compares two refs leads, with `from` and `to` in its query. */
    chooseDiff: (repo: string) => `${metaRoot}/diff/${encodeSegment(repo)}`,
    /** The address to which the form that switches to another time leads, with `ref`, `at` and `group` in its query. */
    chooseTime: (repo: string) => `${metaRoot}/datasets/${encodeSegment(repo)}`,
    /** The page of a group. If the group is called like a view, a trailing slash tells the group from the view. */
    dataset: (repo: string, ref: string, group: string) =>
      datasetAddress(repo, ref, group) + (views.has(group.slice(group.lastIndexOf('/') + 1)) ? '/' : ''),
    view: (repo: string, ref: string, group: string, view: ViewName) => `${datasetAddress(repo, ref, group)}/${view}`,
    ...buildCatalogueLinks(metaRoot),
  }
}

function encodeRef(repo: string, ref: string): string {
  return `${encodeSegment(repo)}/${encodeSegment(ref)}`
}

/** Builds the addresses of the catalogues of others. */
function buildCatalogueLinks(metaRoot: string) {
  return {
    /** The sitemap of a repository; without one, the index of all sitemaps. */
    sitemap: (repo?: string) => `${metaRoot}/sitemap.xml${writeQuery({ repo })}`,
    /** The dataset in the vocabulary of Croissant. */
    croissant: (repo: string, ref: string, group: string) =>
      `${metaRoot}/croissant/${encodeRef(repo, ref)}${encodeGroup(group)}`,
    /** The catalog of DCAT of a repository; without one, that of the deployment. */
    dcat: (repo?: string) => `${metaRoot}/dcat${repo === undefined ? '' : `/${encodeSegment(repo)}`}`,
    /** The catalog of STAC: of the deployment, of a part of its repositories, and of one repository. */
    stac: `${metaRoot}/stac`,
    stacPage: (page: number) => `${metaRoot}/stac/pages/${page}`,
    stacRepository: (repo: string) => `${metaRoot}/stac/repositories/${encodeSegment(repo)}`,
    stacDataset: (repo: string, ref: string, group: string) =>
      `${metaRoot}/stac/datasets/${encodeRef(repo, ref)}${encodeGroup(group)}`,
  }
}

/** Links to the commits of a ref as a feed; with `path`, to those that changed it. */
export function linkFeed(repository: string, ref: string, links: PageLinks, path?: string) {
  const text = ['Commits of', [repository, ref, path ?? []].flat().join(', ')].join(' ')
  return { text, type: 'application/atom+xml', href: links.history(repository, ref, { path, format: 'atom' }) }
}

/** Makes the id of a variable on the page of its group, for links to it. */
export function makeVariableId(name: string): string {
  return `variable-${encodeSegment(name)}`
}

/**
 * Builds the address of the settings page of a repository, or of an organisation. It exists without a deployment too.
 */
export function buildSettingsAddress(v1: string, org: string, repo?: string): string {
  const below = repo === undefined ? '' : `/repos/${encodeSegment(repo)}`
  return `${v1}/orgs/${org}${below}/settings`
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
function writePattern(path: string): string {
  const pattern = path.slice(0, maxPatternLength).replaceAll(/[*\u0000-\u001f\u007f-\u009f]/g, '?')
  return path.length > maxPatternLength ? `${pattern}**` : pattern
}

function encodeGroup(group: string): string {
  return group === '' ? '' : `/${group.split('/').map(encodeSegment).join('/')}`
}

/** Encodes the apostrophe too, so that an address can be quoted with single quotes in a shell. */
function encodeSegment(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27')
}
