import { administrationProblems, c, changeProblems, meta, orgPrefix, problems } from '../../dsl.ts'
import { StorageEventAnswer, StorageEvents } from '../../schemas/administration/storage-event.ts'
import { OfOrg } from '../addresses.ts'

/** Notifications of object stores. */
export const storageEvents = c.router(
  {
    report: {
      method: 'POST',
      path: '',
      pathParams: OfOrg,
      body: StorageEvents,
      responses: { 200: StorageEventAnswer, ...problems(...administrationProblems, ...changeProblems) },
      summary: 'Receive a notification of an object store',
      description:
        'Accepts what Amazon S3 (directly, or through SNS or EventBridge), Azure Event Grid and Google Pub/Sub send about changed objects, ' +
        'and checks the head of `main` of the repositories concerned, as far as the API key covers them. Does not wait for the checks. ' +
        'Also answers the handshake of Event Grid; a subscription of SNS has to be confirmed by an administrator, as `next` says.',
      metadata: meta({ tag: 'repositories', access: 'admin' }),
    },
  },
  { pathPrefix: `${orgPrefix}/storage-events`, strictStatusCodes: true },
)
