// One dataset in its representations.
import { contract } from '@floe/contract'
import { initServer } from '@ts-rest/fastify'
import { entityTag } from '../entity-tag.ts'
import { type ConditionalRequest, isNotModified, type ReplyHeaders } from './answers.ts'
import { datasetPageOf } from './dataset-page-data.ts'
import { parseGroupPath } from './group-path.ts'
import { findRepository, type MetadataContext } from './metadata-context.ts'
import type { ViewName } from './representations.ts'

/** Changes whenever the same snapshot would be represented by other bytes. */
const representationVersion = '1'

type Address = { deployment: string; org: string; repo: string; ref: string; group?: string }
type Call = { readonly params: Address; readonly request: ConditionalRequest; readonly reply: ReplyHeaders }

/** Implements `contract.datasets`. */
export function datasetRoutes(context: MetadataContext) {
  const info = viewAnswer(context, 'info')
  const keys = viewAnswer(context, 'keys')
  const dict = viewAnswer(context, 'dict')
  const page = pageAnswer(context)
  return initServer().router(contract.datasets, {
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

function viewAnswer<View extends ViewName>(context: MetadataContext, view: View) {
  return async ({ params, request, reply }: Call) => {
    const { repository } = await findRepository(context, params.org, params.repo)
    const group = params.group === undefined ? '' : parseGroupPath(params.group)
    const resolved = await context.reading.resolve(repository, params.ref)
    const tag = entityTag(representationVersion, resolved.snapshotId, view, group)
    if (isNotModified(request, reply, tag)) return { status: 304 as const, body: undefined }
    return { status: 200 as const, body: await context.representations.view(view, repository, resolved, group) }
  }
}

function pageAnswer(context: MetadataContext) {
  return async ({ params, request, reply }: Call) => {
    const { repository } = await findRepository(context, params.org, params.repo)
    const group = params.group === undefined ? '' : parseGroupPath(params.group, { asPage: true })
    const resolved = await context.reading.resolve(repository, params.ref)
    const { deployment, org, repo, ref } = params
    const service = [repository.location, context.baseUrl(), deployment, org]
    const place = [resolved.snapshotId, resolved.kind, repo, ref, group]
    const tag = entityTag(representationVersion, 'page', ...service, ...place)
    if (isNotModified(request, reply, tag)) return { status: 304 as const, body: undefined }
    const build = () => datasetPageOf(context, params, { repository, resolved, group })
    const page = await context.representations.page(tag, build)
    // Bytes are sent as they stand, but ts-rest knows this body as the text that they spell.
    return { status: 200 as const, body: page as unknown as string }
  }
}
