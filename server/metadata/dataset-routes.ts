// Answers about one dataset: its JSON views and its page.
import { contract, type ViewName } from '@floe/contract'
import { implement, passAsText } from '../http/contract.ts'
import { makeEntityTag } from '../http/entity-tag.ts'
import { answerAtRef } from './answer-at-ref.ts'
import { answerSnapshot, type Exchange } from './answers.ts'
import { buildDatasetPage } from './build-dataset-page.ts'
import { parseGroupPath } from './group-path.ts'
import type { MetadataContext } from './metadata-context.ts'

/** Part of the entity tags. Increase it when the answers about an unchanged snapshot change, or callers keep old answers. */
const representationVersion = '1'

type Address = { deployment: string; org: string; repo: string; ref: string; group?: string }
type Call = Exchange & { readonly params: Address }

/** Implements `contract.datasets`. */
export function makeDatasetRoutes(context: MetadataContext) {
  const info = answerWithView(context, 'info')
  const keys = answerWithView(context, 'keys')
  const dict = answerWithView(context, 'dict')
  const page = answerWithPage(context)
  return implement(contract.datasets, {
    info,
    groupInfo: info,
    keys,
    groupKeys: keys,
    dict,
    groupDict: dict,
    page,
    groupPage: page,
  })
}

function answerWithView<View extends ViewName>(context: MetadataContext, view: View) {
  return async ({ params, ...exchange }: Call) =>
    answerAtRef(context, params, async ({ repository, resolved: { snapshotId } }) => {
      const group = params.group === undefined ? '' : parseGroupPath(params.group)
      const tag = makeEntityTag(representationVersion, snapshotId, view, group)
      return answerSnapshot(exchange, { tag, snapshotId }, () =>
        context.representations.buildView(view, repository, snapshotId, group),
      )
    })
}

function answerWithPage(context: MetadataContext) {
  return async ({ params, ...exchange }: Call) =>
    answerAtRef(context, params, async ({ repository, resolved }) => {
      const group = params.group === undefined ? '' : parseGroupPath(params.group, { asPage: true })
      const { deployment, org, repo, ref } = params
      const { snapshotId, kind } = resolved
      const service = [repository.location, context.baseUrl(), deployment, org]
      const tag = makeEntityTag(representationVersion, 'page', ...service, snapshotId, kind, repo, ref, group)
      return answerSnapshot(exchange, { tag, snapshotId }, async () => {
        const build = () => buildDatasetPage(context, params, { repository, resolved, group })
        const page = await context.representations.buildPage(tag, build)
        return passAsText(page)
      })
    })
}
