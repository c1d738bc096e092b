// Expectations: how old the last commit of a branch may become before the repository counts as stale.
import { z } from 'zod'
import { MaxAge, stateFields } from '../max-age.ts'
import { Glob, globRule } from '../names.ts'
import { Instant, listOf } from '../values.ts'

export const ExpectationId = z
  .uuid('must be a UUID')
  .describe('Id of the expectation')
  .meta({ examples: ['3f0c1c52-7a0e-4d5b-8d21-6e0b6a4d2f17'] })

/** The name of one branch. Floe watches branches by patterns, in which `*` and `?` stand for other characters. */
export const ExpectedBranch = z
  .string()
  .min(1, 'must not be empty')
  .max(255, 'must have at most 255 characters')
  .regex(
    /^[^*?\u0000-\u001f\u007f-\u009f]*$/,
    'must be the name of one branch, without `*`, `?` and control characters',
  )
  .describe('The branch that must be updated. Floe watches it from now on. It need not exist yet')
  .meta({ examples: ['main'] })

const ExpectedPath = Glob.nullable()
  .describe(
    `Pattern of groups and arrays: ${globRule}. Only commits that created, deleted, moved or updated a node with ` +
      'such a path, or wrote its chunks, count. Null, the default, means that every commit counts',
  )
  .meta({ examples: ['forecast/**'] })

const members = { branch: ExpectedBranch, max_age: MaxAge, path: ExpectedPath.optional() }

const newExample = { branch: 'main', max_age: '6h', path: 'forecast/**' }

const example = {
  id: '3f0c1c52-7a0e-4d5b-8d21-6e0b6a4d2f17',
  ...newExample,
  last_commit_at: '2026-11-21T12:00:00.123Z',
  due_at: '2026-11-21T18:00:00.123Z',
  stale_since: null,
  declared: false,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
}

export const Expectation = z
  .object({
    id: ExpectationId,
    ...stateFields,
    declared: z
      .boolean()
      .describe("Whether it is declared in the service's configuration file, and can only be changed there"),
    created_at: Instant.describe('When it was created'),
    updated_at: Instant.describe('When it was last changed'),
  })
  .meta({
    id: 'Expectation',
    description: 'How old the last commit of a branch may become, and whether it is older',
    examples: [example],
  })
export type Expectation = z.infer<typeof Expectation>

export const ExpectationList = listOf(Expectation, {
  id: 'ExpectationList',
  description: 'The expectations of a repository',
})

export const NewExpectation = z
  .strictObject(members)
  .meta({ id: 'NewExpectation', description: 'An expectation to add', examples: [newExample] })
export type NewExpectation = z.infer<typeof NewExpectation>

export const ExpectationChange = z
  .strictObject({ branch: ExpectedBranch.optional(), max_age: MaxAge.optional(), path: ExpectedPath.optional() })
  .meta({ id: 'ExpectationChange', description: 'The fields to change', examples: [{ max_age: '12h' }] })
export type ExpectationChange = z.infer<typeof ExpectationChange>
