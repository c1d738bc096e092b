// Rewrites addresses before routing. A route parameter matches only one segment, so the slashes inside a group are
// encoded: `datasets/r/main/wind/speed/info` becomes `datasets/r/main/wind%2Fspeed/info`, which matches the route
// `datasets/:repo/:ref/:group/info`.
import { contract, metaPrefix, type Question, questions, writePattern } from '@floe/contract'

/** What follows a group in addresses, such as `info`, by what precedes the repository, such as `datasets`. */
const viewsOfGroups = listViews()

const groupAddress = new RegExp(
  `^(?<start>${writePattern(metaPrefix)}/(?<beginning>${[...viewsOfGroups.keys()].join('|')})` +
    `${writePattern('/:repo/:ref')})(?<afterRef>/[^?#]*)?(?<query>.*)$`,
)

/** The path of a resource or of an issuer may follow these (RFC 9728 and RFC 8414, section 3). */
const wellKnown = [contract.documents.protectedResource.path, contract.authorization.server.path]

/** The beginning of an absolute address. A request may have one instead of a path (RFC 9112, section 3.2.2). */
const schemeAndHost = /^https?:\/\/[^/?#]*/i

/** Rewrites an address to the form that the contract's routes match. */
export function rewriteUrl(address: string): string {
  const rest = address.startsWith('/') ? address : address.replace(schemeAndHost, '')
  // An absolute address can have no path, as in `http://floe.example.org?a=b`.
  const url = rest === '' || rest.startsWith('?') ? `/${rest}` : rest
  // The route reads the rest from the address as it was sent.
  const document = wellKnown.find((path) => url.startsWith(`${path}/`))
  if (document !== undefined) return document
  const { start = '', beginning = '', afterRef = '', query = '' } = groupAddress.exec(url)?.groups ?? {}
  if (start === '' || afterRef === '') return url
  if (afterRef === '/') return start + query
  const segments = afterRef.slice(1).split('/')
  const [last = ''] = segments.slice(-1)
  if (segments.length === 1) return url
  const view = viewsOfGroups.get(beginning)?.has(last) ? `/${last}` : ''
  const group = (view === '' ? segments : segments.slice(0, -1)).join('%2F')
  // A trailing slash is encoded too: `info/`, the page of a group called `info`, becomes `info%2F`, which no route of a
  // view matches. An empty group before a view (`//info`) is the root, whose path is empty in lists of datasets.
  return group === '' ? start + view + query : `${start}/${group}${view}${query}`
}

/** Reads the contract's addresses of questions about a group. */
function listViews(): ReadonlyMap<string, ReadonlySet<string>> {
  const paths = Object.values<Question>(questions).flatMap(({ routes }) =>
    Object.values(routes).map(({ path }) => path),
  )
  const views = new Map<string, Set<string>>()
  for (const path of paths) {
    const [, beginning, view] = /\/_meta\/(.*)\/:repo\/:ref\/:group(?:\/(.*))?$/.exec(path) ?? []
    if (beginning === undefined) continue
    const known = views.get(beginning) ?? new Set()
    views.set(beginning, view === undefined ? known : known.add(view))
  }
  return views
}
