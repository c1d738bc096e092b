// Builds every address that a page links to. Only this file percent-encodes names.
import { type ViewName, viewNames } from '@floe/contract'

/** Addresses for `href`. Group paths have no leading slash; the root group is `''`. */
export type PageLinks = {
  readonly home: string
  readonly docs: string
  readonly redoc: string
  readonly openapi: string
  readonly stylesheet: string
  readonly filterScript: string
  /** One page of the repositories, from 1, of those whose name has the words of the filter. */
  repositories(filter: string, page: number): string
  repository(repo: string): string
  /** The settings page. The browser asks for an administrator's key there. */
  settings(repo: string): string
  ref(repo: string, ref: string): string
  /** The commits of a ref: those before a commit, or from the newest one on. */
  history(repo: string, ref: string, before?: string): string
  /** What changed between two refs. */
  diff(repo: string, from: string, to: string): string
  /** Where a form asks for what changed, with `from` and `to` in its query. */
  chooseDiff(repo: string): string
  dataset(repo: string, ref: string, group: string): string
  view(repo: string, ref: string, group: string, view: ViewName): string
}

const views: ReadonlySet<string> = new Set(viewNames)

/** The links of one deployment. `v1` and `assetsRoot` have no trailing slash. Names of deployments and organisations need no encoding. */
export function buildPageLinks(v1: string, deployment: string, org: string, assetsRoot: string): PageLinks {
  const metaRoot = `${v1}/services/${deployment}/${org}/_meta`
  const encodeRef = (repo: string, ref: string) => `${encodeSegment(repo)}/${encodeSegment(ref)}`
  const addressDataset = (repo: string, ref: string, group: string) =>
    `${metaRoot}/datasets/${encodeRef(repo, ref)}${encodeGroup(group)}`
  return {
    home: `${metaRoot}/`,
    docs: `${metaRoot}/docs`,
    redoc: `${metaRoot}/redoc`,
    openapi: `${metaRoot}/openapi.json`,
    stylesheet: `${assetsRoot}/web/style.css`,
    filterScript: `${assetsRoot}/web/filter.js`,
    repositories: (filter, page) => `${metaRoot}/${writeQuery(filter, page)}`,
    repository: (repo) => `${metaRoot}/discovery/${encodeSegment(repo)}`,
    settings: (repo) => `${v1}/orgs/${org}/repos/${encodeSegment(repo)}/settings`,
    ref: (repo, ref) => `${metaRoot}/discovery/${encodeRef(repo, ref)}`,
    history: (repo, ref, before) =>
      `${metaRoot}/history/${encodeRef(repo, ref)}${before === undefined ? '' : `?before=${encodeSegment(before)}`}`,
    diff: (repo, from, to) => `${metaRoot}/diff/${encodeRef(repo, from)}/${encodeSegment(to)}`,
    chooseDiff: (repo) => `${metaRoot}/diff/${encodeSegment(repo)}`,
    dataset: (repo, ref, group) => addressDataset(repo, ref, group) + (endsInViewName(group) ? '/' : ''),
    view: (repo, ref, group, view) => `${addressDataset(repo, ref, group)}/${view}`,
  }
}

/** Leaves out what needs no mention: no filter, and the first page. */
function writeQuery(filter: string, page: number): string {
  const query = new URLSearchParams({ ...(filter !== '' && { filter }), ...(page > 1 && { page: String(page) }) })
  return query.size > 0 ? `?${query}` : ''
}

/** A group whose name is that of a view gets a trailing slash, which tells it from the view. */
function endsInViewName(group: string): boolean {
  return views.has(group.slice(group.lastIndexOf('/') + 1))
}

function encodeGroup(group: string): string {
  if (group === '') return ''
  return group
    .split('/')
    .map((segment) => `/${encodeSegment(segment)}`)
    .join('')
}

/** Encodes the apostrophe too, so that an address can be quoted with single quotes in a shell. */
function encodeSegment(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27')
}
