// Encodes the slashes inside a group before routing, because a route parameter matches one segment only. So
// `datasets/r/main/wind/speed/info` reaches the route `datasets/:repo/:ref/:group/info`.
import { viewNames } from '@floe/contract'

const datasetAddress = /^(\/v1\/services\/[^/?#]+\/[^/?#]+\/_meta\/datasets\/[^/?#]+\/[^/?#]+)(\/[^?#]*)?(.*)$/

const views: ReadonlySet<string> = new Set(viewNames)

/** Rewrites an address to the form that the contract's routes match. */
export function rewriteUrl(url: string): string {
  const [, start = '', behindRef = '', query = ''] = datasetAddress.exec(url) ?? []
  if (start === '' || behindRef === '') return url
  if (behindRef === '/') return start + query
  const segments = behindRef.slice(1).split('/')
  const [last = ''] = segments.slice(-1)
  if (segments.length === 1) return url
  const view = views.has(last) ? `/${last}` : ''
  const group = (view === '' ? segments : segments.slice(0, -1)).join('%2F')
  // A trailing slash is encoded too: the page of a group called `info` becomes `info%2F`, which no view's route matches. An empty
  // group before a view (`//info`) must not become the view of the root group.
  return `${start}/${group === '' ? '%2F' : group}${view}${query}`
}
