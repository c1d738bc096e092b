// Routes match one segment for a group, but groups are nested. Before routing, the slashes inside a group are percent-encoded, so
// that `datasets/r/main/wind/speed/info` reaches the route `datasets/:repo/:ref/:group/info`.

const datasetAddress = /^(\/v1\/services\/[^/?#]+\/[^/?#]+\/_meta\/datasets\/[^/?#]+\/[^/?#]+)(\/[^?#]*)?(.*)$/

/** Views that stand behind a group as the last segment of an address. */
const views: ReadonlySet<string> = new Set(['info', 'keys', 'dict'])

/** The address as the routes of the contract expect it. */
export function rewriteUrl(url: string): string {
  const [, start = '', behindRef = '', query = ''] = datasetAddress.exec(url) ?? []
  if (start === '' || behindRef === '') return url
  if (behindRef === '/') return start + query
  const segments = behindRef.slice(1).split('/')
  const [last = ''] = segments.slice(-1)
  if (segments.length === 1) return url
  const view = views.has(last) ? `/${last}` : ''
  const group = (view === '' ? segments : segments.slice(0, -1)).join('%2F')
  // A trailing slash leaves an empty last segment and is encoded too, so that the page of a group called `info` is `info%2F`,
  // which no view's route matches. An empty group in front of a view must not become the root's view.
  return `${start}/${group === '' ? '%2F' : group}${view}${query}`
}
