import { z } from 'zod'
import {
  type ProblemCode as Code,
  formatProblemType,
  problemDefinitions,
  type ProblemType as Type,
} from '../problems.ts'

// The keys of the constant table are the codes; Object.keys only promises strings.
const allCodes = Object.keys(problemDefinitions) as [Code, ...Code[]]

export const ProblemCode = defineProblemCode(allCodes)
/** The code of a problem, the last segment of its `type`. */
export type ProblemCode = Code

/** The pattern tells problems of Floe, also later ones, from those of other services. */
export const ProblemType = defineProblemType(allCodes).meta({ pattern: '^/problems/' })
export type ProblemType<Code extends ProblemCode = ProblemCode> = Type<Code>

function defineProblemCode<Some extends ProblemCode>(codes: readonly [Some, ...Some[]]) {
  return z.enum(codes).describe('The kind of the problem, for programs: the last segment of `type`')
}

function defineProblemType<Code extends ProblemCode>(codes: readonly [Code, ...Code[]]) {
  return z.enum(codes.map(formatProblemType)).describe('The kind of the problem, and the address of a page about it')
}

export const ProblemError = z
  .object({
    pointer: z.string().describe('JSON pointer (RFC 6901) into path parameters, query or body, such as `/query/group`'),
    message: z.string().describe('What is wrong there, for people'),
  })
  .meta({ id: 'ProblemError', description: 'One wrong place in a request' })
export type ProblemError = z.infer<typeof ProblemError>

const otherFields = {
  title: z.string().describe('The kind of the problem, for people'),
  status: z.int().min(400).max(599).describe('Status of the answer'),
  detail: z.string().describe('What happened in this case'),
  instance: z.string().describe('Id of this answer in the log of the service'),
  errors: z.array(ProblemError).optional().describe('With `invalid-request`: the wrong places, at most 1,000'),
  see: z.string().optional().describe('With `ref-not-found`: address of the list of branches and tags'),
}

export const Problem = z
  .object({ type: ProblemType, code: ProblemCode, ...otherFields })
  .meta({
    id: 'Problem',
    description: 'The body of every answer that is not 2xx, 303 or 304 (RFC 9457)',
    examples: [
      {
        type: '/problems/ref-not-found',
        code: 'ref-not-found',
        title: 'No such ref',
        status: 404,
        detail: 'weather has no branch, tag or snapshot called "mian"; did you mean "main"?',
        instance: 'urn:uuid:2f6c1b0e-5d1e-4f0c-9f57-0c5b8a3f7d21',
        see: '/v1/services/demo/acme/_meta/discovery/weather',
      },
    ],
  })
export type Problem = z.infer<typeof Problem>

/**
 * The schema of a problem with one of these codes, which `type` and `code` distinguish. An interface, because
 * declarations refer to it by name, but would repeat an object type in 500 places.
 */
export interface ProblemSchema<Code extends ProblemCode> extends z.ZodType<
  Omit<Problem, 'type' | 'code'> & { type: ProblemType<Code>; code: Code }
> {}

/** The schemas of problems, by their codes: 45 for 1,200 answers, because each schema takes time and memory. */
const restricted = new Map<string, z.ZodType>()

/** Returns the schema of a problem with one of these codes. */
export function restrictProblem<Code extends ProblemCode>(...codes: readonly [Code, ...Code[]]): ProblemSchema<Code> {
  const name = codes.join(' ')
  const schema =
    restricted.get(name) ?? z.object({ type: defineProblemType(codes), code: defineProblemCode(codes), ...otherFields })
  restricted.set(name, schema)
  return schema as ProblemSchema<Code> // the name has the codes
}
