// `npm run simulate -- mutations`: makes each mutation in a copy of the project, and runs seeds until one finds it.
// Usage: npm run simulate -- mutations [--seeds 20] [--from 1] [--hours 0.15] [--engine sqlite|postgres] [WORDS...],
// where WORDS select the mutations whose names contain one of them. Exits with 1 if one is not found.
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyProject, findMisfit, runMutated } from '../mutants.ts'
import { mutations, postgresMutations } from './mutations.ts'
import { seedOptions } from './seed-options.ts'
import { spawnSeed } from './spawn-seed.ts'

/** Most seconds of the processor that a seed may use. A mutant may never come to rest. */
const limitSeconds = 300

/** Runs seeds in a copy until one finds a fault. */
async function findFault(copy: string): Promise<string | undefined> {
  const args = ['--hours', values.hours, '--engine', values.engine]
  const env = { NODE_COMPILE_CACHE: join(copy, 'compiled') }
  for (let seed = Number(values.from); seed < Number(values.from) + Number(values.seeds); seed++) {
    const { fault } = await spawnSeed(seed, args, { cwd: copy, limitSeconds, env })
    if (fault !== undefined) return `seed ${seed}: ${fault}`
  }
  return undefined
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
for (const [name, mutation] of Object.entries(chosen)) {
  const misfit = await findMisfit(copy, mutation)
  if (misfit !== undefined) throw new Error(`${name}: ${misfit}`)
}
for (const [name, mutation] of Object.entries(chosen)) {
  if (positionals.length > 0 && !positionals.some((word) => name.includes(word))) continue
  const found = await runMutated(copy, mutation, () => findFault(copy))
  console.log(
    `${found === undefined ? 'MISSED' : 'found '} ${name}${found === undefined ? '' : `\n  ${found.slice(0, 300)}`}`,
  )
  if (found === undefined) process.exitCode = 1
}
