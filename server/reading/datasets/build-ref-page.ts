import type { Snapshot } from '@floe/storage/icechunk'
import { refPage } from '../../pages/browse/ref-page.ts'
import { explainArray, findGroup } from '../../groups/group-documents.ts'
import { linkPage, type RefPageFacts, showPageSubject } from '../page-facts.ts'

/**
 * Builds the page of a ref, its tree of groups, as an HTML document. It lists all groups, whichever is asked for.
 *
 * @throws RequestProblem `group-not-found`
 */
export function buildRefPage(snapshot: Snapshot, group: string, page: RefPageFacts): string {
  if (group !== '') findGroup(snapshot, group)
  const groups = [...snapshot.nodes].filter(({ kind }) => kind === 'group')
  return refPage(
    {
      at: showPageSubject(page, snapshot),
      reason: explainArray(snapshot, ''),
      groups: groups.map(({ path }) => ({ path, arrays: snapshot.nodes.countChildren(path).arrays })),
    },
    linkPage(page),
  )
}
