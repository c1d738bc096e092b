import { type Check as CheckAnswer, type CheckList, contract } from '@floe/contract'
import { type Check, listChecks } from '@floe/storage/database'
import type { Encodable } from '@floe/storage/json'
import { implement } from '../../http/contract.ts'
import { answerAtRef } from '../answering/answer-at-ref.ts'
import { answerJson } from '../answering/answers.ts'
import type { MetadataContext } from '../metadata-context.ts'

const { list } = contract.checks

/** Implements the route that lists checks. Its answers are not cached, because they change while the snapshot stays. */
export function makeCheckListRoute(context: MetadataContext) {
  return implement(
    { list },
    {
      list: async ({ params, request, reply }) =>
        answerAtRef(context, params, request, async ({ resolved }) => {
          const { snapshotId } = resolved
          const found = await listChecks(context.db, { org: params.org, repo: params.repo, snapshotId })
          return answerJson<CheckList>({ request, reply }, { context, resolved }, { items: found.map(showCheck) })
        }),
    },
  )
}

export function showCheck({ postedAt, ...result }: Check): Encodable<CheckAnswer> {
  return { ...result, posted_at: postedAt.toISOString() }
}
