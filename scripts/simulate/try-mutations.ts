// `npm run simulate -- mutations`: makes each mutation in a copy of the project, and runs seeds until one finds it.
// Usage: npm run simulate -- mutations [--seeds 20] [--from 1] [--hours 0.15] [--engine sqlite|postgres] [WORDS...],
// where WORDS select the mutations whose names contain one of them. Exits with 1 if one is not found.
import { spawn } from 'node:child_process'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { copyProject } from '../conformance/copy-project.ts'
import type { Mutation } from '../conformance/proven-promise.ts'
import { mutations, postgresMutations } from './mutations.ts'
import { seedOptions } from './seed-options.ts'

/** Longest run of a seed, in milliseconds. A mutant may never come to rest. */
const limitMs = 300_000

/**
 * Runs a seed in a copy of the project; returns the fault that it found. A mutant that does not run has not been found.
 */
async function runSeed(copy: string, seed: number): Promise<string | undefined> {
  const args = ['--max-semi-space-size=64', '--conditions=@floe/source', 'scripts/simulate/run-seed.ts']
  const { hours, engine } = values
  const options = ['--seed', String(seed), '--hours', hours, '--engine', engine]
  const child = spawn(process.execPath, [...args, ...options], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(copy, 'compiled') },
    timeout: limitMs,
  })
  const lines = (await text(child.stdout)).split('\n')
  if (child.signalCode !== null) return `it did not end within ${limitMs / 1_000} s`
  if (!lines.some((line) => line.startsWith('seed '))) throw new Error(`seed ${seed} could not be run`)
  return lines.find((line) => line.startsWith('FAULT'))
}

async function findMutation(copy: string, [file, part, replacement]: Mutation): Promise<string | undefined> {
  const path = join(copy, file)
  const source = await readFile(path, 'utf8')
  await writeFile(
    path,
    source.replace(part, () => replacement),
  )
  try {
    for (let seed = Number(values.from); seed < Number(values.from) + Number(values.seeds); seed++) {
      const fault = await runSeed(copy, seed)
      if (fault !== undefined) return `seed ${seed}: ${fault}`
    }
    return undefined
  } finally {
    await writeFile(path, source)
  }
}

const { values, positionals } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    hours: { type: 'string', default: '0.15' },
    engine: seedOptions.engine,
  },
  allowPositionals: true,
})
await using temporary = await mkdtempDisposable(join(tmpdir(), 'floe-mutants-'))
const copy = join(temporary.path, 'mutant')
await copyProject(copy)
const chosen = values.engine === 'postgres' ? { ...mutations, ...postgresMutations } : mutations
for (const [file, part] of Object.values(chosen)) {
  const source = await readFile(join(copy, file), 'utf8')
  if (source.split(part).length !== 2) throw new Error(`${file} must contain once: ${part}`)
}
for (const [name, mutation] of Object.entries(chosen)) {
  if (positionals.length > 0 && !positionals.some((word) => name.includes(word))) continue
  const found = await findMutation(copy, mutation)
  console.log(
    `${found === undefined ? 'MISSED' : 'found '} ${name}${found === undefined ? '' : `\n  ${found.slice(0, 300)}`}`,
  )
  if (found === undefined) process.exitCode = 1
}
