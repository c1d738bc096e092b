// Which methods the clients have for the routes of the contract, in TypeScript and in Python. A question about a group
// has a second route for groups other than the root; its method calls either.
import { type Question, questions } from '@floe/contract'
import type { ClientRoute } from './collect-definitions.ts'

/** Methods of the client itself whose names are not those of their routes, besides the methods of questions. */
const methodNames: Readonly<Record<string, string>> = {
  'history.commits': 'historyPage',
  'search.get': 'searchPage',
  'events.stream': 'events',
  'checks.list': 'checks',
  'good.get': 'good',
  'checks.postAll': 'postChecks',
  'checks.post': 'postCheck',
  'datasetRemarks.list': 'remarks',
  'compatibility.check': 'checkContract',
  'stac.catalog': 'stacCatalog',
  'audit.list': 'auditPage',
  'storageEvents.report': 'storageEvents',
}

/** A method of a client. */
export type Method = {
  readonly route: ClientRoute
  /** The property of the client that has the method; undefined if the client itself has it. */
  readonly group: string | undefined
  readonly name: string
  /** Names in the path, besides those that are options of the client. */
  readonly names: readonly string[]
}

/**
 * The names of the methods of questions by the ids of their routes; undefined for the route of the root group, because
 * that of another group has the same address if the group is empty.
 */
const questionMethods = new Map<string, string | undefined>(
  Object.values<Question>(questions).flatMap(({ router, routes, clientMethod }) => {
    const names = Object.keys(routes)
    const [method] = names
    return names.map(
      (name) => [`${router}.${name}`, name === names.at(-1) ? (clientMethod ?? method) : undefined] as const,
    )
  }),
)

/** Lists the methods of the client for readers, or of that for administrators. */
export function listMethods(routes: readonly ClientRoute[], client: 'Reader' | 'Admin'): Method[] {
  return routes
    .filter(({ isForAdministrators }) => isForAdministrators === (client === 'Admin'))
    .filter(({ resource, name }) => !isOfRoot(`${resource}.${name}`))
    .map(describeMethod)
}

function isOfRoot(id: string): boolean {
  return questionMethods.has(id) && questionMethods.get(id) === undefined
}

function describeMethod(route: ClientRoute): Method {
  const { resource, name, path, query, isForAdministrators } = route
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => parameter)
  const names = parameters.filter((parameter) => parameter !== 'org' && parameter !== 'deployment')
  const id = `${resource}.${name}`
  const ownName = questionMethods.get(id) ?? methodNames[id]
  if (ownName !== undefined) return { route, group: undefined, name: ownName, names }
  // The name without this ending is that of an iterator over the entries of all pages.
  const ending = 'before' in query ? 'Page' : ''
  return { route, group: isForAdministrators ? resource : undefined, name: `${name}${ending}`, names }
}
