// `npm run conformance`: breaks each promise of docs/internals/conformance.md in a copy of the project, and checks that
// its test notices.
// Usage: npm run conformance -- [--sample N [--seed TEXT]] [WORDS...], where WORDS select the promises that contain one
// of them
import { createHash, randomInt } from 'node:crypto'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { copyProject } from '../mutants.ts'
import { findProofs } from './find-proofs.ts'
import { promiseSections } from './promise-sections.ts'
import type { ProvenPromise } from './proven-promise.ts'
import { tryMutation } from './try-mutation.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Tries promises and prints each result; returns whether all are proven. */
async function provePromises(promises: readonly ProvenPromise[], signal: AbortSignal): Promise<boolean> {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'floe-conformance-'))
  const copies = { sound: join(temporary.path, 'sound'), mutant: join(temporary.path, 'mutant') }
  await Promise.all([copyProject(copies.sound), copyProject(copies.mutant)])
  const start = performance.now()
  const counts = { killed: 0, unproven: 0, skipped: 0 }
  for (const promise of promises) {
    if (signal.aborted) break
    const begun = performance.now()
    const { kind, explanation } = await tryMutation(promise, copies, signal)
    if (signal.aborted) break
    counts[kind] += 1
    console.log(`${kind.padEnd(8)} ${formatSeconds(begun).padStart(8)}  ${promise.promise}`)
    if (explanation !== '') console.log(`  ${promise.test.join(': ')}\n  ${explanation.replaceAll('\n', '\n  ')}`)
  }
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  const killed = `${counts.killed} of ${promises.length} mutants killed`
  console.log(`\n${killed}, ${counts.unproven} promises unproven${skipped} in ${formatSeconds(start)}`)
  return counts.unproven === 0 && !signal.aborted
}

function formatSeconds(start: number): string {
  return `${((performance.now() - start) / 1_000).toFixed(1)} s`
}

/** Takes a random sample of promises that depends only on the seed. */
function takeSample(promises: readonly ProvenPromise[], count: number, seed: string): readonly ProvenPromise[] {
  const hash = ({ promise }: ProvenPromise) => createHash('sha256').update(`${seed} ${promise}`).digest('hex')
  return promises.toSorted((a, b) => (hash(a) < hash(b) ? -1 : 1)).slice(0, count)
}

const { values, positionals } = parseArgs({
  options: { sample: { type: 'string' }, seed: { type: 'string' } },
  allowPositionals: true,
})
const { sections, faults } = await findProofs(root, promiseSections)
if (faults.length > 0) throw new Error(faults.join('\n'))
const all = sections.flatMap(({ promises }) => promises)
const named = all.filter(
  ({ promise }) => positionals.length === 0 || positionals.some((word) => promise.includes(word)),
)
let chosen: readonly ProvenPromise[] = named
if (values.sample !== undefined) {
  const seed = values.seed ?? String(randomInt(1_000_000))
  chosen = takeSample(named, Number(values.sample), seed)
  console.log(`${chosen.length} of ${all.length} promises, chosen with --seed ${seed}`)
}
if (chosen.length === 0) throw new Error('no promise was chosen')
const stop = new AbortController()
process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort())
if (!(await provePromises(chosen, stop.signal))) process.exitCode = 1
