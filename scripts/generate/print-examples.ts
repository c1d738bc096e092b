// Prints the examples of the contract as answers for tests of programs that use the client.
import type { ClientRoute, Collection } from './collect-definitions.ts'
import { nameReference } from './collect-definitions.ts'
import { printAnswerType } from './print-schemas.ts'

export function printExamples({ definitions, routes: all }: Collection, problems: object): string {
  // The stream of events sends notifications.
  const routes = all.filter(({ resource }) => resource !== 'events')
  const resources = [...new Set(routes.map(({ resource }) => resource))]
  const findExample = ({ resource, name, answer }: ClientRoute): unknown => {
    const schema = answer?.$ref === undefined ? answer : definitions.get(nameReference(answer.$ref))
    const [example] = schema?.examples ?? []
    if (answer !== undefined && example === undefined) throw new TypeError(`${resource}.${name} has no example`)
    return endPages(example)
  }
  const print = (printRoute: (route: ClientRoute) => string) =>
    resources
      .map((resource) => {
        const ofResource = routes.filter((route) => route.resource === resource)
        const entries = ofResource.map((route) => `${JSON.stringify(route.name)}: ${printRoute(route)}`)
        return `${JSON.stringify(resource)}: { ${entries.join(', ')} }`
      })
      .join(', ')
  return `
    import type * as types from './types.ts'

    /** An answer of each route. */
    export type Examples = { ${print(({ answer }) => (answer ? printAnswerType(answer) : 'undefined'))} }

    export const examples: Examples = { ${print((route) => JSON.stringify(findExample(route)) ?? 'undefined')} }

    export const notification: types.NewCommit = ${JSON.stringify(definitions.get('NewCommit')?.examples?.[0])}

    /** Each problem by its code. */
    export const problems: Readonly<Record<types.ProblemCode, types.Problem>> = ${JSON.stringify(problems)}
  `
}

/** Makes the example of a page the last page. Otherwise, an iterator over the pages would never end. */
function endPages(example: unknown): unknown {
  return typeof example === 'object' && example !== null && 'next' in example ? { ...example, next: null } : example
}
