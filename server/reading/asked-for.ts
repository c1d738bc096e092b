// What each question of the contract asks, besides its kind.
import type { Questions } from '@floe/contract'
import type { AskedFiles, SnapshotId } from '@floe/storage/icechunk'
import type { z } from 'zod'
import type { DocumentFacts, RefPageFacts } from './page-facts.ts'

/** What a route accepts in the query besides the group. */
type QueryOf<Route> = Route extends { readonly query: infer Query extends z.ZodType }
  ? Readonly<Omit<z.output<Query>, 'group'>>
  : object

type RouteOf<Name extends keyof Questions> = Questions[Name]['routes'][keyof Questions[Name]['routes']]

/** What a question with this name asks. `''` is the root group. */
export type AskedFor<Name extends keyof Questions> = { readonly group: string } & QueryOf<RouteOf<Name>> &
  (Questions[Name] extends { readonly about: 'change' } ? { readonly from: SnapshotId } : object) &
  (Questions[Name] extends { readonly showsStorage: true } ? Pick<AskedFiles, 'containers'> : object) &
  (Questions[Name] extends { readonly format: 'html' }
    ? { readonly page: RefPageFacts }
    : Questions[Name] extends { readonly needsService: true }
      ? { readonly page: DocumentFacts }
      : object)
