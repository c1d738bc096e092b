// Builds every address that a page links to. Only this file percent-encodes names.
import { type ViewName, viewNames } from '@floe/contract'

/** Addresses for `href`, below the pages of one deployment. */
export type PageLinks = ReturnType<typeof buildPageLinks>

/** Parameters of a query. An array repeats its parameter. */
export type LinkQuery = { readonly [name: string]: string | readonly string[] | undefined }

const views: ReadonlySet<string> = new Set(viewNames)

/**
 * The links of one deployment. `v1` and `assetsRoot` have no trailing slash. Names of deployments and organisations need no encoding.
 * Group paths have no leading slash; the root group is `''`.
 */
export function buildPageLinks(v1: string, deployment: string, org: string, assetsRoot: string) {
  const metaRoot = `${v1}/services/${deployment}/${org}/_meta`
  const encodeRef = (repo: string, ref: string) => `${encodeSegment(repo)}/${encodeSegment(ref)}`
  const addressDataset = (repo: string, ref: string, group: string) =>
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
    searchScript: `${assetsRoot}/web/search.js`,
    sortScript: `${assetsRoot}/web/sort.js`,
    /** One page, from 1, of the repositories whose name has the words of the filter. */
    repositories: (filter: string, page: number) =>
      `${metaRoot}/${writeQuery({ filter, page: page > 1 ? String(page) : '' })}`,
    /** Search over all repositories. Without parameters, the target of the form. */
    search: (query: LinkQuery = {}) => `${metaRoot}/search${writeQuery(query)}`,
    repository: (repo: string) => `${metaRoot}/discovery/${encodeSegment(repo)}`,
    /** The settings page of a repository, or of the organisation. The browser asks for an administrator's key there. */
    settings: (repo?: string) => addressSettings(v1, org, repo),
    ref: (repo: string, ref: string) => `${metaRoot}/discovery/${encodeRef(repo, ref)}`,
    /** The commits of a ref: those before a commit, or from the newest one on. */
    history: (repo: string, ref: string, before?: string) =>
      `${metaRoot}/history/${encodeRef(repo, ref)}${before === undefined ? '' : `?before=${encodeSegment(before)}`}`,
    /** The operations on a repository: those before a position in their log, or from the newest one on. */
    operations: (repo: string, before?: string) =>
      `${metaRoot}/operations/${encodeSegment(repo)}${before === undefined ? '' : `?before=${encodeSegment(before)}`}`,
    diff: (repo: string, from: string, to: string) => `${metaRoot}/diff/${encodeRef(repo, from)}/${encodeSegment(to)}`,
    /** Target of the form that compares two refs, with `from` and `to` in its query. */
    chooseDiff: (repo: string) => `${metaRoot}/diff/${encodeSegment(repo)}`,
    /** Adds a trailing slash to a group that has the name of a view, to tell the group from the view. */
    dataset: (repo: string, ref: string, group: string) =>
      addressDataset(repo, ref, group) + (views.has(group.slice(group.lastIndexOf('/') + 1)) ? '/' : ''),
    view: (repo: string, ref: string, group: string, view: ViewName) => `${addressDataset(repo, ref, group)}/${view}`,
  }
}

/** The id of a variable on the page of its group, for links to it. */
export function anchorVariable(name: string): string {
  return `variable-${encodeSegment(name)}`
}

/** The settings page of a repository, or of an organisation. There is one without a deployment too. */
export function addressSettings(v1: string, org: string, repo?: string): string {
  const place = repo === undefined ? '' : `/repos/${encodeSegment(repo)}`
  return `${v1}/orgs/${org}${place}/settings`
}

/** Leaves out parameters without a value, and empty values. */
function writeQuery(query: LinkQuery): string {
  const pairs = Object.entries(query).flatMap(([name, values = []]) => [values].flat().map((value) => [name, value]))
  const given = new URLSearchParams(pairs.filter(([, value]) => value !== ''))
  return given.size > 0 ? `?${given}` : ''
}

function encodeGroup(group: string): string {
  return group === '' ? '' : `/${group.split('/').map(encodeSegment).join('/')}`
}

/** Encodes the apostrophe too, so that an address can be quoted with single quotes in a shell. */
function encodeSegment(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27')
}
