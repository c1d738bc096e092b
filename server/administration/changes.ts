// What routes read of a request that changes a record of a repository or of an organisation, and where the record is.
import { buildAddress, orgPrefix, repoPrefix } from '@floe/contract'
import type { FastifyRequest } from 'fastify'
import { requireCaller } from '../http/access/access-hook.ts'
import { parseIfMatch } from '../http/representation/version-tag.ts'
import type { AdministrationContext, OwnerParams } from './administration-context.ts'

/** Reads who makes a change. Returns also when it is made. */
export function readChangeOptions({ now }: Pick<AdministrationContext, 'now'>, request: FastifyRequest) {
  return { by: requireCaller(request), now: new Date(now()) }
}

/** Reads also which versions of the record may be changed: those of `If-Match`; undefined for any. */
export function readEditOptions(context: Pick<AdministrationContext, 'now'>, request: FastifyRequest) {
  return { ...readChangeOptions(context, request), versions: parseIfMatch(request.headers['if-match']) }
}

/** Builds the address of a record, such as one of the `expectations` of an owner. */
export function locateRecord(
  { v1 }: Pick<AdministrationContext, 'v1'>,
  { org, repo }: OwnerParams,
  records: string,
  id: string,
): string {
  return repo === undefined
    ? buildAddress(v1, `${orgPrefix}/${records}/:id`, { org, id })
    : buildAddress(v1, `${repoPrefix}/${records}/:id`, { org, repo, id })
}
