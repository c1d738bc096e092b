// The route that shows which heads of a branch are good.
import { contract, type GoodBranch as GoodBranchAnswer } from '@floe/contract'
import type { Encodable } from '@floe/storage/json'
import { findServedEntry } from '../../catalog/served-catalog.ts'
import { implement } from '../../http/contract.ts'
import { prefersHtml } from '../../http/representation/negotiation.ts'
import { goodPage } from '../../pages/good/good-page.ts'
import { encodePage } from '../../pages/page.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { answerAtRef } from '../answering/answer-at-ref.ts'
import { answerJson, answerTagged } from '../answering/answers.ts'
import { findLastGood, type GoodBranch, nameLacks } from '../answering/last-good.ts'
import { makeListMarks } from '../checks/list-marks.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { showDeployment } from '../show-service.ts'

/** Maximum number of heads in an answer. */
const maxHeads = 20

/** Implements `contract.good`. Its answers are not cached, because checks and time change them. */
export function makeGoodRoute(context: MetadataContext) {
  return implement(contract.good, {
    get: async ({ params, request, reply }) =>
      answerAtRef(context, params, request, async ({ resolved: { kind, name, snapshotId } }) => {
        if (kind !== 'branch' || name !== params.ref)
          throw new RequestProblem('ref-not-found', `${params.repo} has no branch ${JSON.stringify(params.ref)}`)
        const found = await findLastGood(context, await findServedEntry(context, params), name)
        const call = { request, reply }
        if (!prefersHtml(request))
          return answerJson<GoodBranchAnswer>(call, { context }, describeGood(name, snapshotId, found))
        const heads = found.heads.slice(0, maxHeads)
        const marks = await makeListMarks(context, params)(heads.map(({ snapshotId }) => snapshotId))
        const data = {
          deployment: showDeployment(context, params),
          repository: params.repo,
          branch: name,
          requirements: found.requirements,
          lastGood: found.lastGood,
          since: findSince(found),
          heads: heads.map((head) => ({ ...head, lacks: nameLacks(head), marks: marks.get(head.snapshotId) })),
        }
        const page = goodPage(data, context.buildLinks(params.deployment, params.org))
        return answerTagged(call, { context, format: 'html' }, encodePage(page))
      }),
  })
}

function describeGood(branch: string, headId: string, found: GoodBranch): Encodable<GoodBranchAnswer> {
  const { requirements, lastGood, heads } = found
  return {
    branch,
    head_snapshot_id: headId,
    requires: requirements,
    last_good_snapshot_id: lastGood?.snapshotId ?? null,
    behind: lastGood?.behind ?? null,
    since: findSince(found)?.toISOString() ?? null,
    heads: heads
      .slice(0, maxHeads)
      .map(({ snapshotId, seenAt, state, lacks, dueAt }) => ({
        snapshot_id: snapshotId,
        seen_at: seenAt.toISOString(),
        state,
        lacks,
        due_at: dueAt?.toISOString() ?? null,
      })),
  }
}

/** When the branch got the first head after its last good one; null if it has none of either. */
function findSince({ lastGood, heads }: GoodBranch): Date | null {
  return lastGood === null ? null : (heads[lastGood.behind - 1]?.seenAt ?? null)
}
