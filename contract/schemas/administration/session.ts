import { z } from 'zod'
import { Instant, pageOf } from '../values.ts'
import { Role } from './api-key.ts'
import { Person } from './audit.ts'

const person = {
  issuer: 'https://id.example.org/realms/acme',
  subject: 'f1b1a0c4-7d0e-4d52-9c5b-6a1f2f0e3a11',
  email: 'ada@example.org',
}

export const SessionId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'must be the id of a session: 43 characters')
  .describe('Id of the session. It gives no access to the session')
  .meta({ examples: ['n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg'] })

export const Session = z
  .object({
    id: SessionId,
    person: Person.describe('Who has signed in'),
    role: Role.describe('What the person may do in all repositories that the rules name, as of `checked_at`'),
    created_at: Instant.describe('When the person signed in'),
    checked_at: Instant.describe('When the issuer was last asked whether the person still has the claims'),
    expires_at: Instant.describe('When the session ends at the latest'),
  })
  .meta({
    id: 'Session',
    description: 'The session of a person in a browser',
    examples: [
      {
        id: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
        person,
        role: 'admin',
        created_at: '2026-11-21T08:00:00.000Z',
        checked_at: '2026-11-21T12:00:00.000Z',
        expires_at: '2026-11-21T20:00:00.000Z',
      },
    ],
  })
export type Session = z.infer<typeof Session>

export const SessionPage = pageOf(Session, SessionId, {
  id: 'SessionPage',
  description: 'A page of the sessions of people with a role in the organisation',
})

export const Account = z
  .object({
    person: Person.nullable().describe('Who is signed in; null for nobody, and for an API key'),
    orgs: z.array(z.string()).describe('The organisations in which the caller has a role'),
  })
  .meta({ id: 'Account', description: 'Who sends the request', examples: [{ person, orgs: ['acme'] }] })
export type Account = z.infer<typeof Account>
