// Rewrites addresses before routing. A route parameter matches only one segment, so the slashes inside a group are
// encoded: `datasets/r/main/wind/speed/info` becomes `datasets/r/main/wind%2Fspeed/info`, which matches the route
// `datasets/:repo/:ref/:group/info`.
import { viewNames } from '@floe/contract'

const datasetAddress =
  /^(\/v1\/services\/[^/?#]+\/[^/?#]+\/_meta\/(?:datasets|(stac\/datasets|croissant))\/[^/?#]+\/[^/?#]+)(\/[^?#]*)?(.*)$/

const views: ReadonlySet<string> = new Set(viewNames)

/** The beginning of an absolute address. A request may have one instead of a path (RFC 9112, section 3.2.2). */
const schemeAndHost = /^https?:\/\/[^/?#]*/i

/** Rewrites an address to the form that the contract's routes match. */
export function rewriteUrl(address: string): string {
  const rest = address.startsWith('/') ? address : address.replace(schemeAndHost, '')
  // An absolute address can have no path, as in `http://floe.example.org?a=b`.
  const url = rest === '' || rest.startsWith('?') ? `/${rest}` : rest
  const [, start = '', catalogue, afterRef = '', query = ''] = datasetAddress.exec(url) ?? []
  if (start === '' || afterRef === '') return url
  if (afterRef === '/') return start + query
  const segments = afterRef.slice(1).split('/')
  const [last = ''] = segments.slice(-1)
  if (segments.length === 1) return url
  const view = catalogue === undefined && views.has(last) ? `/${last}` : ''
  const group = (view === '' ? segments : segments.slice(0, -1)).join('%2F')
  // A trailing slash is encoded too: `info/`, the page of a group called `info`, becomes `info%2F`, which no route of a
  // view matches. An empty group before a view (`//info`) is the root, whose path is empty in lists of datasets.
  return group === '' ? start + view + query : `${start}/${group}${view}${query}`
}
