import { administrationProblems, c, changeProblems, meta, orgPrefix, problems } from '../../dsl.ts'
import { StorageEventAnswer, StorageEvents } from '../../schemas/administration/storage-event.ts'
import { OfOrg } from '../addresses.ts'

/** What object stores tell. */
export const storageEvents = c.router(
  {
    report: {
      method: 'POST',
      path: '',
      pathParams: OfOrg,
      body: StorageEvents,
      responses: { 200: StorageEventAnswer, ...problems(...administrationProblems, ...changeProblems) },
      summary: 'Take a message of an object store, and check the repositories that it concerns',
      metadata: meta({ tag: 'repositories', access: 'admin' }),
    },
  },
  { pathPrefix: `${orgPrefix}/storage-events`, strictStatusCodes: true },
)
