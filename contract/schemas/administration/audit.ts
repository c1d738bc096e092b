import { z } from 'zod'
import { Instant, JsonObject, pageOf } from '../values.ts'

const example = {
  id: '0198c0de-0000-7000-8000-000000000003',
  at: '2026-11-21T12:00:00.123Z',
  repo_name: 'weather',
  key_id: 'fedcba9876543210',
  key_name: 'operations',
  client: null,
  person: null,
  action: 'webhook.update',
  subject_id: '0198c0de-0000-7000-8000-000000000001',
  before: { alias: 'tile server', enabled: true },
  after: { alias: 'tile server', enabled: false },
}

/** A person or a program, by the issuer that vouches for it. */
export const Person = z.object({
  issuer: z.string().describe('The issuer that vouches for the person or program'),
  subject: z.string().describe('Id of the person or program at the issuer'),
  email: z.string().nullable().describe('E-mail address; null when the issuer gives none, or calls it unverified'),
})

export const AuditEntry = z
  .object({
    id: z.uuid().describe('Id of the entry'),
    at: Instant.describe('When the change was made'),
    repo_name: z
      .string()
      .nullable()
      .describe(
        'The repository that the change concerns; null when it concerns the organisation, such as its API keys',
      ),
    key_id: z.string().describe('Id of the API key or of the account with which the change was made'),
    key_name: z.string().nullable().describe('The name that the key had at that time; null when it had none'),
    client: z
      .string()
      .nullable()
      .describe('The client that made the change with a token of the key; null when it was made with the key itself'),
    person: Person.nullable().describe('Whose account it is; null for an API key'),
    action: z
      .string()
      .describe('What was done')
      .meta({ examples: ['webhook.update'] }),
    subject_id: z.string().nullable().describe('Id of the record that was changed'),
    before: JsonObject.nullable().describe('The record before the change, without secrets; null when it is new'),
    after: JsonObject.nullable().describe('The record after the change, without secrets; null when it was deleted'),
  })
  .meta({ id: 'AuditEntry', description: 'One change that an administrator made', examples: [example] })
export type AuditEntry = z.infer<typeof AuditEntry>

export const AuditPage = pageOf(AuditEntry, z.uuid(), { id: 'AuditPage', description: 'A page of the audit log' })
