// Every address a page links to. Names are percent-encoded here and nowhere else.

/** The three machine-readable views of a group. */
export type ViewName = 'info' | 'keys' | 'dict'

/** Addresses, ready for `href`. Group paths have no leading slash; the root group is `''`. */
export type PageLinks = {
  readonly home: string
  readonly docs: string
  readonly redoc: string
  readonly openapi: string
  readonly stylesheet: string
  readonly filterScript: string
  repository(repo: string): string
  /** Where administrators go; others are asked to log in. */
  settings(repo: string): string
  ref(repo: string, ref: string): string
  dataset(repo: string, ref: string, group: string): string
  view(repo: string, ref: string, group: string, view: ViewName): string
}

const viewNames: ReadonlySet<string> = new Set<ViewName>(['info', 'keys', 'dict'])

/** Links of one deployment, whose names need no encoding, below `v1` and `assetsRoot`, both without a trailing slash. */
export function pageLinks(v1: string, deployment: string, org: string, assetsRoot: string): PageLinks {
  const metaRoot = `${v1}/services/${deployment}/${org}/_meta`
  const refOf = (repo: string, ref: string) => `${encodeSegment(repo)}/${encodeSegment(ref)}`
  const datasetOf = (repo: string, ref: string, group: string) =>
    `${metaRoot}/datasets/${refOf(repo, ref)}${encodeGroup(group)}`
  return {
    home: `${metaRoot}/`,
    docs: `${metaRoot}/docs`,
    redoc: `${metaRoot}/redoc`,
    openapi: `${metaRoot}/openapi.json`,
    stylesheet: `${assetsRoot}/style.css`,
    filterScript: `${assetsRoot}/filter.js`,
    repository: (repo) => `${metaRoot}/discovery/${encodeSegment(repo)}`,
    settings: (repo) => `${v1}/orgs/${org}/repos/${encodeSegment(repo)}/settings`,
    ref: (repo, ref) => `${metaRoot}/discovery/${refOf(repo, ref)}`,
    dataset: (repo, ref, group) => datasetOf(repo, ref, group) + (endsInViewName(group) ? '/' : ''),
    view: (repo, ref, group, view) => `${datasetOf(repo, ref, group)}/${view}`,
  }
}

/** A group that is itself called like a view is told from that view by a trailing slash. */
function endsInViewName(group: string): boolean {
  return viewNames.has(group.slice(group.lastIndexOf('/') + 1))
}

function encodeGroup(group: string): string {
  if (group === '') return ''
  return group
    .split('/')
    .map((segment) => `/${encodeSegment(segment)}`)
    .join('')
}

/** The apostrophe is encoded too, so that an address can stand in a shell's single quotes. */
function encodeSegment(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27')
}
