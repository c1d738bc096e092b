import type { Cancellation } from '@floe/storage/json'
import { gapsPage } from '../../pages/gaps/gaps-page.ts'
import type { AskedFor } from '../asked-for.ts'
import { linkPage, type RefPageFacts } from '../page-facts.ts'
import { GapsPart } from './gaps-part.ts'
import type { SnapshotManifests } from '../manifests/snapshot-manifests.ts'

/** The most arrays of a page. The JSON can have more. */
const maxArrays = 100

/**
 * Builds the page of the gaps of the arrays at and below a group as an HTML document.
 *
 * @throws RequestProblem `group-not-found`
 * @throws what the cancellation throws
 */
export function buildGapsPage(
  source: SnapshotManifests,
  { page, ...asked }: AskedFor<'gaps'> & { readonly page: RefPageFacts },
  cancellation?: Cancellation,
): string {
  const { group, path, along, limit } = asked
  const part = new GapsPart(source, { ...asked, limit: Math.min(limit ?? maxArrays, maxArrays) }, cancellation)
  const arrays = [...part.list()]
  return gapsPage(
    {
      deployment: page.deployment,
      repository: page.repo,
      ref: page.ref,
      selection: { group, path, along, limit },
      arrays,
      next: part.next,
    },
    linkPage(page),
  )
}
