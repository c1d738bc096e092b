import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
  const [file, text, replacement] = mutation
  const path = join(mutant, file)
  const source = await readFile(path, 'utf8')
  await writeFile(
    path,
    source.replace(text, () => replacement),
  )
  const [before, after] = await Promise.all([runTest(sound, test, signal), runTest(mutant, test, signal)])
  await writeFile(path, source)
  if (before.kind === 'skipped') return { kind: 'skipped', explanation: before.explanation }
  if (before.kind !== 'passed') return unproven(`without the mutation, the test ${before.kind}:\n${before.explanation}`)
  if (after.kind === 'failed') return { kind: 'killed', explanation: '' }
  if (after.kind === 'passed') return unproven(`the test passes with ${JSON.stringify(replacement)} in ${file}`)
  return unproven(`with the mutation, the test ${after.kind}:\n${after.explanation}`)
}

function unproven(explanation: string): Verdict {
  return { kind: 'unproven', explanation }
}
