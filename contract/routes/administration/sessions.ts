import { z } from 'zod'
import { administrationProblems, c, changeProblems, meta, orgPrefix, problems } from '../../dsl.ts'
import { SessionId, SessionPage } from '../../schemas/administration/session.ts'
import { OfOrg, pageLimit } from '../../schemas/addresses.ts'

/** Selects a page of sessions. */
const SessionSelection = z.object({
  before: SessionId.optional().describe('Only sessions older than this one: `next` of the previous page'),
  limit: pageLimit,
})

const metadata = meta({ tag: 'sessions', access: 'admin' })

/** Sessions of people who have signed in to pages, for administrators of the whole organisation. */
export const sessions = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      pathParams: OfOrg,
      query: SessionSelection,
      responses: { 200: SessionPage, ...problems(...administrationProblems) },
      summary: 'List sessions',
      description:
        'Returns the sessions of people who have a role in the organisation, newest first, in pages: send `next` as ' +
        '`before` until it is null.',
      metadata,
    },
    end: {
      method: 'DELETE',
      path: '/:id',
      pathParams: OfOrg.extend({ id: SessionId }),
      responses: { 204: c.noBody(), ...problems(...administrationProblems, ...changeProblems, 'session-not-found') },
      summary: 'End a session',
      description:
        'Signs the person out of this browser, within a second. The person can sign in again as long as the issuer ' +
        'and the rules allow it.',
      metadata,
    },
  },
  { pathPrefix: `${orgPrefix}/sessions` },
)
