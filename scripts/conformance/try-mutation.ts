import { runMutated } from '../mutants.ts'
import type { ProvenPromise } from './proven-promise.ts'
import { runTest } from './run-test.ts'

/** Two copies of the project; mutations are made in the second. */
export type Copies = { readonly sound: string; readonly mutant: string }

/** Whether the test noticed the mutation, could not run here, or does not prove its promise. */
export type Verdict = { readonly kind: 'killed' | 'skipped' | 'unproven'; readonly explanation: string }

/** Time limit for the test without the mutation, including the loading of its file. */
const limitMs = 600_000

/** A test that passes without the mutation, and takes this many times as long with it, hangs. */
const hangFactor = 3

/**
 * Runs the test of a promise without and with the mutation, at the same time. A test that passes without the mutation
 * has noticed it if it fails or hangs.
 *
 * @param allowanceMs - what a test that hangs takes at least, so that a busy machine makes no test of milliseconds hang
 */
export async function tryMutation(
  { test, mutation }: ProvenPromise,
  { sound, mutant }: Copies,
  signal: AbortSignal,
  allowanceMs = 10_000,
): Promise<Verdict> {
  const [file, , replacement] = mutation
  const [before, after] = await runMutated(mutant, mutation, () =>
    runBoth(test, { sound, mutant }, signal, allowanceMs),
  )
  if (before.kind === 'skipped') return { kind: 'skipped', explanation: before.explanation }
  if (before.kind !== 'passed') return unproven(`without the mutation, the test ${before.kind}:\n${before.explanation}`)
  if (after.kind === 'failed') return { kind: 'killed', explanation: '' }
  if (after.kind === 'did not end') return { kind: 'killed', explanation: 'with the mutation, the test hangs' }
  if (after.kind === 'passed') return unproven(`the test passes with ${JSON.stringify(replacement)} in ${file}`)
  return unproven(`with the mutation, the test ${after.kind}:\n${after.explanation}`)
}

function unproven(explanation: string): Verdict {
  return { kind: 'unproven', explanation }
}

/** Runs a test without and with the mutation. Ends the second when it takes much longer than the first. */
async function runBoth(
  test: ProvenPromise['test'],
  { sound, mutant }: Copies,
  signal: AbortSignal,
  allowanceMs: number,
) {
  const begun = performance.now()
  const patience = new AbortController()
  const mutantRun = runTest(mutant, test, AbortSignal.any([signal, patience.signal]))
  const before = await runTest(sound, test, AbortSignal.any([signal, AbortSignal.timeout(limitMs)]))
  const hangsAfterMs = (performance.now() - begun) * (hangFactor - 1) + allowanceMs
  const timer = setTimeout(() => patience.abort(), before.kind === 'passed' ? hangsAfterMs : 0)
  const after = await mutantRun
  clearTimeout(timer)
  return [before, after] as const
}
