// Finds the test of each promise. The comment directly above a test names the promise that it proves; several lines
// name several promises:
//
//   // Proves: a notification is sent by `POST`
//   t.test('the body and the headers arrive, and the answer comes back', async (t) => {
//
// The title is read from the source. If the test is made in a loop, the title is a template. Then all tests of the loop
// are run, and one of them must notice the mutation.
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findMisfit } from '../mutants.ts'
import type { PromiseSection, ProvenPromise, ProvenSection } from './proven-promise.ts'

type Proof = { readonly promise: string; readonly test: ProvenPromise['test'] }

/** Finds the test of each promise. `faults` lists what is wrong with promises, tests and mutations. */
export async function findProofs(
  root: string,
  sections: readonly PromiseSection[],
): Promise<{ readonly sections: readonly ProvenSection[]; readonly faults: readonly string[] }> {
  const { proofs, faults } = await readProofs(join(root, 'test'))
  const proven: ProvenSection[] = []
  for (const section of sections) {
    const promises: ProvenPromise[] = []
    for (const [promise, mutation] of Object.entries(section.promises)) {
      const [proof, ...others] = proofs.get(promise) ?? []
      proofs.delete(promise)
      if (proof === undefined) faults.push(`${promise}: no test has the line "// Proves: ${promise}"`)
      else promises.push({ ...proof, mutation })
      for (const { test } of others) faults.push(`${promise}: test/${test[0]} proves it too; only one test may`)
      const misfit = await findMisfit(root, mutation)
      if (misfit !== undefined) faults.push(`${promise}: ${misfit}`)
    }
    proven.push({ ...section, promises })
  }
  for (const { promise, test } of [...proofs.values()].flat())
    faults.push(`test/${test[0]}: "// Proves: ${promise}" names no promise of scripts/conformance/promises/`)
  return { sections: proven, faults }
}

/** A test below lines that say what it proves. */
const provingTest = /^( *\/\/ Proves: .+\n)+ *(?:\w+\.)?test\(\s*(['"`])(?<title>.+?)(?<!\\)\2,/

async function readProofs(directory: string) {
  const proofs: Proof[] = []
  const faults: string[] = []
  for await (const file of glob('**/*.test.ts', { cwd: directory })) {
    const source = await readFile(join(directory, file), 'utf8')
    for (const { index, 1: promise = '' } of source.matchAll(/^ *\/\/ Proves: (.+)$/gm)) {
      const title = provingTest.exec(source.slice(index))?.groups?.['title']
      if (title === undefined) faults.push(`test/${file}: "// Proves: ${promise}" is not directly above a test`)
      else proofs.push({ promise, test: [file, title.replaceAll("\\'", "'").replaceAll(/\$\{[^}]*\}/g, '…')] })
    }
  }
  return { proofs: Map.groupBy(proofs, ({ promise }) => promise), faults }
}
