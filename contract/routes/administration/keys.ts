import { administrationProblems, c, changeProblems, meta, orgPrefix, problems } from '../../dsl.ts'
import {
  ApiKeyId,
  ApiKeyList,
  CreatedApiKey,
  NewApiKey,
  RevocationOptions,
} from '../../schemas/administration/api-key.ts'
import { OfOrg } from '../addresses.ts'

const metadata = meta({ tag: 'keys', access: 'admin' })

/** API keys. A key lists, makes and revokes only keys that cover no more than it does itself. */
export const keys = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      pathParams: OfOrg,
      responses: { 200: ApiKeyList, ...problems(...administrationProblems) },
      summary: 'List the API keys',
      metadata,
    },
    create: {
      method: 'POST',
      path: '',
      pathParams: OfOrg,
      body: NewApiKey,
      responses: { 201: CreatedApiKey, ...problems(...administrationProblems, ...changeProblems, 'too-many-keys') },
      summary: 'Make an API key',
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
      summary: 'Revoke an API key and the keys that were made with it',
      metadata,
    },
  },
  { pathPrefix: `${orgPrefix}/keys`, strictStatusCodes: true },
)
