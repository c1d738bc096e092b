import { runMutated } from '../mutants.ts'
import type { ProvenPromise } from './proven-promise.ts'
import { runTest } from './run-test.ts'

/** Two copies of the project; mutations are made in the second. */
export type Copies = { readonly sound: string; readonly mutant: string }

/** Whether the test noticed the mutation, could not run here, or does not prove its promise. */
export type Verdict = { readonly kind: 'killed' | 'skipped' | 'unproven'; readonly explanation: string }

/** Runs the test of a promise without and with the mutation, at the same time. */
export async function tryMutation(
  { test, mutation }: ProvenPromise,
  { sound, mutant }: Copies,
  signal: AbortSignal,
): Promise<Verdict> {
  const [file, , replacement] = mutation
  const [before, after] = await runMutated(mutant, mutation, () =>
    Promise.all([runTest(sound, test, signal), runTest(mutant, test, signal)]),
  )
  if (before.kind === 'skipped') return { kind: 'skipped', explanation: before.explanation }
  if (before.kind !== 'passed') return unproven(`without the mutation, the test ${before.kind}:\n${before.explanation}`)
  if (after.kind === 'failed') return { kind: 'killed', explanation: '' }
  if (after.kind === 'passed') return unproven(`the test passes with ${JSON.stringify(replacement)} in ${file}`)
  return unproven(`with the mutation, the test ${after.kind}:\n${after.explanation}`)
}

function unproven(explanation: string): Verdict {
  return { kind: 'unproven', explanation }
}
