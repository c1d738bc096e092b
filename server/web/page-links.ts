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
  repository(repo: string): string
  /** The settings page. The browser asks for an administrator's key there. */
  settings(repo: string): string
  ref(repo: string, ref: string): string
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
    repository: (repo) => `${metaRoot}/discovery/${encodeSegment(repo)}`,
    settings: (repo) => `${v1}/orgs/${org}/repos/${encodeSegment(repo)}/settings`,
    ref: (repo, ref) => `${metaRoot}/discovery/${encodeRef(repo, ref)}`,
    dataset: (repo, ref, group) => addressDataset(repo, ref, group) + (endsInViewName(group) ? '/' : ''),
    view: (repo, ref, group, view) => `${addressDataset(repo, ref, group)}/${view}`,
  }
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
