// Problems in the OpenAPI document. In the contract each answer narrows `type` to its own codes. The document has one schema for all
// problems, which keeps it readable, and lists the codes of an answer in its description.
import { type ProblemCode, problemDefinitions, formatProblemType } from '@floe/contract'
import { z } from 'zod'

// Object.keys gives string[]; the keys of a constant table are its codes.
const allCodes = Object.keys(problemDefinitions) as ProblemCode[]
const codesByType: ReadonlyMap<unknown, ProblemCode> = new Map(allCodes.map((code) => [formatProblemType(code), code]))

/** Lists the codes that a body can have; undefined when it is not a problem. */
export function listProblemCodes(body: unknown): ProblemCode[] | undefined {
  const type: unknown = body instanceof z.ZodObject ? body.shape['type'] : undefined
  if (!(type instanceof z.ZodEnum)) return undefined
  const codes = type.options.map((option) => codesByType.get(option))
  return codes.every((code) => code !== undefined) ? codes : undefined
}

/** Builds an example of each problem, by its code, for `components.examples`. */
export function buildProblemExamples(): Record<ProblemCode, object> {
  const entries = allCodes.map((code) => {
    const { title, status, meaning } = problemDefinitions[code]
    const errors = code === 'invalid-request' && { errors: [{ pointer: '/query/group', message: 'must be text' }] }
    const instance = '2f6c1b0e-5d1e-4f0c-9f57-0c5b8a3f7d21'
    return [
      code,
      { summary: title, value: { type: formatProblemType(code), title, status, detail: meaning, instance, ...errors } },
    ]
  })
  return Object.fromEntries(entries) as Record<ProblemCode, object> // the entries have all codes
}
