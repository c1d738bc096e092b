import { expectationKinds } from '@floe/contract'
import { type Database, listStatesWithReason } from '@floe/storage/database'
import { type Finding, reportOn } from './finding.ts'

/** Maximum number of branches that are shown. */
const maxShown = 100

/** Tells of expectations that could not be judged, for example because their path matches nothing. */
export async function checkExpectations(db: Database): Promise<Finding[]> {
  const states = await listStatesWithReason(db, maxShown)
  return states.map(({ expectation: { org, kind, alias }, repo, branch, state }) => {
    const title = expectationKinds[kind].title.toLowerCase()
    const name = `${org}/${repo} branch ${branch}: ${title}${alias === null ? '' : ` ${alias}`}`
    return reportOn('expectation', name)(state.verdict !== null, state.reason ?? '')
  })
}
