import type { Snapshot } from '@floe/storage/icechunk'
import { refPage } from '../pages/browse/ref-page.ts'
import { findGroup } from './group-documents.ts'
import { linkPage, type PageAddress } from './page-address.ts'
import { showPageSubject } from './show-page-subject.ts'

/**
 * Builds the page of a ref, its tree of groups, as an HTML document.
 *
 * @throws RequestProblem `group-not-found` when there is no group `below`
 */
export function buildRefPage(snapshot: Snapshot, below: string, page: PageAddress): string {
  if (below !== '') findGroup(snapshot, below)
  const groups = [...snapshot.nodes].filter(({ kind }) => kind === 'group')
  return refPage(
    {
      at: showPageSubject(page, snapshot),
      groups: groups.map(({ path }) => ({ path, arrays: snapshot.nodes.countChildren(path).arrays })),
    },
    linkPage(page),
  )
}
