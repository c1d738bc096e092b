import { z } from 'zod'
import { administrationProblems, c, changeProblems, meta, orgPrefix, problems } from '../../dsl.ts'
import {
  ApiKeyId,
  ApiKeyPage,
  CreatedApiKey,
  ApiKeyCreation,
  RevocationOptions,
} from '../../schemas/administration/api-key.ts'
import { OfOrg, pageLimit } from '../../schemas/addresses.ts'

/** Selects a page of API keys. */
const ApiKeySelection = z.object({
  before: ApiKeyId.optional().describe('Only keys older than this one: `next` of the previous page'),
  limit: pageLimit,
})

const metadata = meta({ tag: 'keys', access: 'admin' })

/** API keys. A key lists, creates and revokes only keys that cover no more than it does itself. */
export const keys = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      pathParams: OfOrg,
      query: ApiKeySelection,
      responses: { 200: ApiKeyPage, ...problems(...administrationProblems) },
      summary: 'List API keys',
      description:
        "Returns the API keys that cover no more than the caller's own, newest first, without the keys themselves, " +
        'in pages: send `next` as `before` until it is null. Keys that were revoked or have expired are listed for ' +
        '90 days.',
      metadata,
    },
    create: {
      method: 'POST',
      path: '',
      pathParams: OfOrg,
      body: ApiKeyCreation,
      responses: { 201: CreatedApiKey, ...problems(...administrationProblems, ...changeProblems, 'too-many-keys') },
      summary: 'Create an API key',
      description:
        'Returns the new key in `key`, which is not shown again. It can cover no more repositories than the ' +
        "caller's own and not expire later.",
      metadata,
    },
    revoke: {
      method: 'DELETE',
      path: '/:id',
      pathParams: OfOrg.extend({ id: ApiKeyId }),
      query: RevocationOptions,
      responses: {
        204: c.noBody(),
        ...problems(...administrationProblems, ...changeProblems, 'key-not-found', 'declared-in-file'),
      },
      summary: 'Revoke an API key',
      description:
        'Revokes the key and, unless `keep_descendants` is `true`, all keys that were created with it. Keys that ' +
        'the configuration file declares are answered with 409; remove them there.',
      metadata,
    },
  },
  { pathPrefix: `${orgPrefix}/keys` },
)
