// What the documents for the catalogues of others share.
import type { ApiKey } from '@floe/storage/database'
import { requireServedCatalog } from '../../catalog/served-catalog.ts'
import { filterReadable } from '../../http/access/access-hook.ts'
import { makeEntityTag } from '../../http/representation/entity-tag.ts'
import { buildPageLinks } from '../../pages/page-links.ts'
import type { Question } from '../../reading/questions/question.ts'
import type { RefOfRepository } from '../answering/answer-at-ref.ts'
import { answerUnchanged, answerWith, type RequestAndReply } from '../answering/answers.ts'
import { makeIsListCurrent } from '../discovery-routes.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { addressPage, showDeployment } from '../show-service.ts'

type Service = { readonly deployment: string; readonly org: string }

/** Lists the repositories that the caller may read, and what a document about them needs. Opens none of them. */
export async function listReadable(
  context: MetadataContext,
  service: Service,
  { apiKey }: { readonly apiKey: ApiKey | null },
) {
  const catalog = requireServedCatalog(context, service)
  const names = await catalog.listNames()
  const deployment = showDeployment(context, service)
  return {
    names: filterReadable(apiKey, names),
    deployment,
    links: buildPageLinks(deployment.baseUrl, deployment.name, deployment.org, context.assetsRoot),
    isCurrent: makeIsListCurrent(catalog, names),
  }
}

/** Describes the address of a document. All callers get the same: none sees the location of a repository. */
export function addressDocument(
  context: MetadataContext,
  address: Service & { readonly repo: string },
  at: RefOfRepository,
) {
  return addressPage(context, address, at, { apiKey: null })
}

/** Answers with a document of a snapshot. */
export async function answerWithDocument<Asked extends Question>(
  context: MetadataContext,
  call: RequestAndReply,
  at: RefOfRepository,
  { question, format = 'json' }: { readonly question: Asked; readonly format?: 'json' | 'xml' | 'jsonLd' },
) {
  const { snapshotId } = at.resolved
  // Another version of Floe may write another document.
  const tag = makeEntityTag(snapshotId, JSON.stringify(question))
  // The index at the address of sitemaps is about no snapshot.
  const about = format === 'xml' ? {} : { snapshotId }
  const sending = { context, tag, format, isCurrent: at.isCurrent, ...about }
  return answerUnchanged(call, sending) ?? answerWith(call, sending, await at.ask(question))
}
