// The package @floe/client/testing: answers of a service for tests of programs that use the client. They are the
// examples of the contract.
import { type Examples, examples, problems } from '../generated/examples.ts'
import type { Problem, ProblemCode } from '../generated/types.ts'

/** A function for each route, which returns an answer. */
export type Answers = {
  readonly [Resource in keyof Examples]: { readonly [Name in keyof Examples[Resource]]: () => Examples[Resource][Name] }
}

/**
 * Returns an answer of each route, which the test may change. A list has one page. Routes are named as in the contract:
 * `groupInfo` is `info` of a group.
 *
 * @example
 * ```ts
 * const info = { ...answers.datasets.info(), dimensions: { time: 3 } }
 * ```
 */
export const answers: Answers = listAnswers(examples)

function listAnswers(tables: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Answers {
  const named = Object.entries(tables).map(([resource, table]) => {
    const functions = Object.entries(table).map(([name, example]) => [name, () => structuredClone(example)])
    return [resource, Object.fromEntries(functions)]
  })
  // The loops keep the names of all routes.
  return Object.fromEntries(named) as Answers
}

/** Returns the problem with a code. Default for `detail`: what the problem means. */
export function createProblem(code: ProblemCode, detail: string = problems[code].detail): Problem {
  return { ...structuredClone(problems[code]), detail }
}
