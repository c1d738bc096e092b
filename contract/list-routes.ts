import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core'

/** Lists every route of a router with its dotted name, in order. */
export function* listRoutes(router: AppRouter, prefix = ''): Generator<[id: string, route: AppRoute]> {
  for (const [name, entry] of Object.entries(router)) {
    const id = prefix === '' ? name : `${prefix}.${name}`
    if (isAppRoute(entry)) yield [id, entry]
    else yield* listRoutes(entry, id)
  }
}
