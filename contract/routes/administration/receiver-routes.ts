// The routes that webhooks and chats share. Only their schemas and one word of their summaries differ.
import type { z } from 'zod'
import { c, changeProblems, meta, problems, repoAdministrationProblems, repositoryReadProblems } from '../../dsl.ts'
import { TestResult } from '../../schemas/administration/receiver.ts'
import { IfMatch, OfAdministeredRepository, OfReceiver } from '../addresses.ts'

const changing = [...repoAdministrationProblems, ...changeProblems] as const
const editing = [...changing, 'receiver-not-found', 'declared-in-file', 'precondition-failed'] as const

type Tag = 'webhooks' | 'chats'

/** Routes of all receivers of one kind, without their path prefix. */
export function collectionRoutes<
  List extends z.ZodType,
  Creation extends z.ZodType,
  Created extends z.ZodType,
  Tested extends z.ZodType,
>(
  tag: Tag,
  schemas: { readonly list: List; readonly creation: Creation; readonly created: Created; readonly tested: Tested },
) {
  const noun = tag.slice(0, -1)
  const metadata = meta({ tag, access: 'admin' })
  return {
    list: {
      method: 'GET',
      path: '',
      pathParams: OfAdministeredRepository,
      responses: { 200: schemas.list, ...problems(...repoAdministrationProblems) },
      summary: `List the ${tag}`,
      metadata,
    },
    create: {
      method: 'POST',
      path: '',
      pathParams: OfAdministeredRepository,
      body: schemas.creation,
      responses: { 201: schemas.created, ...problems(...changing, 'alias-in-use', 'too-many-receivers') },
      summary: `Add a ${noun}`,
      metadata: meta({ ...metadata, headers: ['ETag', 'Location'] }),
    },
    test: {
      method: 'POST',
      path: '/test',
      pathParams: OfAdministeredRepository,
      body: schemas.tested,
      responses: { 200: TestResult, ...testProblems },
      summary: `Test a ${noun}: sends the last commit of \`main\` once`,
      metadata,
    },
  } as const
}

/** Routes of one receiver, without their path prefix. */
export function itemRoutes<One extends z.ZodType, Change extends z.ZodType, Changed extends z.ZodType>(
  tag: Tag,
  schemas: { readonly one: One; readonly change: Change; readonly changed: Changed },
) {
  const noun = tag.slice(0, -1)
  const metadata = meta({ tag, access: 'admin' })
  const versioned = meta({ ...metadata, headers: ['ETag'] })
  return {
    get: {
      method: 'GET',
      path: '/:id',
      pathParams: OfReceiver,
      responses: { 200: schemas.one, ...problems(...repoAdministrationProblems, 'receiver-not-found') },
      summary: `Read a ${noun}`,
      metadata: versioned,
    },
    update: {
      method: 'PATCH',
      path: '/:id',
      pathParams: OfReceiver,
      headers: IfMatch,
      body: schemas.change,
      responses: { 200: schemas.changed, ...problems(...editing, 'alias-in-use') },
      summary: `Change a ${noun}`,
      metadata: versioned,
    },
    delete: {
      method: 'DELETE',
      path: '/:id',
      pathParams: OfReceiver,
      headers: IfMatch,
      responses: { 204: c.noBody(), ...problems(...editing) },
      summary: `Delete a ${noun} and its deliveries`,
      metadata,
    },
  } as const
}

const testProblems = problems(
  ...changing,
  ...repositoryReadProblems,
  'ref-not-found',
  'snapshot-gone',
  'receiver-not-found',
  'declared-in-file',
)
