import { contract, type RemarkList } from '@floe/contract'
import { implement } from '../../http/contract.ts'
import { findRemarksAbout } from '../../remarks/find-remarks.ts'
import { selectRemarks } from '../../remarks/select-remarks.ts'
import { answerAtRef } from '../answering/answer-at-ref.ts'
import { answerJson } from '../answering/answers.ts'
import { parseGroupPath } from '../../groups/group-path.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { toPlace } from '../../remarks/known-remarks.ts'

/** Implements `contract.datasetRemarks`. Its answers are not cached, because they change while the snapshot stays. */
export function makeRemarkListRoute(context: MetadataContext) {
  return implement(contract.datasetRemarks, {
    list: async ({ params, query: { group }, request, reply }) =>
      answerAtRef(context, params, request, async ({ resolved }) => {
        const place = toPlace(params.repo, resolved)
        const find = await findRemarksAbout(context.db, params.org, [place], context.timing.now())
        const items = group === undefined ? find(place) : selectRemarks(find(place), parseGroupPath(group))
        return answerJson<RemarkList>({ request, reply }, { context, resolved }, { items: [...items] })
      }),
  })
}
