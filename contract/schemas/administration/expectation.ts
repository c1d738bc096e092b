// Expectations: how old the last commit of a branch may become, or which share of its chunks must be written.
import { z } from 'zod'
import { expectationStateExample, expectationStateFields, WrittenShare } from '../expectation-state.ts'
import { MaxAge } from '../max-age.ts'
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
  .describe('The branch that must meet it. Floe watches it from now on. It need not exist yet')
  .meta({ examples: ['main'] })

const ExpectedPath = Glob.nullable()
  .describe(
    `Pattern of groups and arrays: ${globRule}. With \`max_age\`, only commits that created, deleted, moved or ` +
      'updated a node with such a path, or wrote its chunks, count. With `written`, only arrays with such a path ' +
      'count. Null, the default, means that all count',
  )
  .meta({ examples: ['forecast/**'] })

/** An expectation has one of `max_age` and `written`. */
const demands = { max_age: MaxAge.optional(), written: WrittenShare.optional() }

type Demands = { readonly max_age?: unknown; readonly written?: unknown }

function countDemands({ max_age: maxAge, written }: Demands): number {
  return [maxAge, written].filter((demand) => demand !== undefined).length
}

const newExample = { branch: 'main', max_age: '6h', path: 'forecast/**' }

const example = {
  id: '3f0c1c52-7a0e-4d5b-8d21-6e0b6a4d2f17',
  ...expectationStateExample,
  declared: false,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
}

export const Expectation = z
  .object({
    id: ExpectationId,
    ...expectationStateFields,
    declared: z
      .boolean()
      .describe("Whether it is declared in the service's configuration file, and can only be changed there"),
    created_at: Instant.describe('When it was created'),
    updated_at: Instant.describe('When it was last changed'),
  })
  .meta({ id: 'Expectation', description: 'What is expected of a branch, and whether it is met', examples: [example] })
export type Expectation = z.infer<typeof Expectation>

export const ExpectationList = listOf(Expectation, {
  id: 'ExpectationList',
  description: 'The expectations of a repository',
})

export const ExpectationCreation = z
  .strictObject({ branch: ExpectedBranch, ...demands, path: ExpectedPath.optional() })
  .refine((expectation) => countDemands(expectation) === 1, {
    path: ['max_age'],
    message: 'must be given if `written` is not, and only then',
  })
  .meta({
    id: 'ExpectationCreation',
    description: 'An expectation to add, with either `max_age` or `written`',
    examples: [newExample, { branch: 'main', written: 0.99, path: 'forecast/**' }],
  })
export type ExpectationCreation = z.infer<typeof ExpectationCreation>

export const ExpectationChange = z
  .strictObject({ branch: ExpectedBranch.optional(), ...demands, path: ExpectedPath.optional() })
  .refine((change) => countDemands(change) <= 1, {
    path: ['max_age'],
    message: 'cannot be sent together with `written`: an expectation has one of them',
  })
  .meta({
    id: 'ExpectationChange',
    description: 'The fields to change. `max_age` replaces `written`, and `written` replaces `max_age`',
    examples: [{ max_age: '12h' }],
  })
export type ExpectationChange = z.infer<typeof ExpectationChange>
