// `npm run simulate`: runs the whole service in one process, without a clock and without a network, and checks all that
// it does. Everything depends on the seed.
// Usage: npm run simulate -- [--seed N [--to STEP] [--show STEPS]] [--engine sqlite|postgres] [--hours H]
//        [--replicas R] [--repositories N] [--seeds COUNT] [--from FIRST] [--seconds LIMIT]
// Without --seed, runs COUNT seeds, each in its own process: from FIRST on, which is random unless it is given. Begins
// none after LIMIT seconds. Exits with 1 on any fault.
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { seedOptions } from './seed-options.ts'
import { spawnSeed } from './spawn-seed.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))

/** Most seconds of the processor that a seed may use, besides the time that it simulates. */
const graceSeconds = 600

const { values } = parseArgs({
  options: {
    ...seedOptions,
    seed: { type: 'string' },
    seeds: { type: 'string', default: '10' },
    from: { type: 'string', default: String(randomInt(1_000_000)) },
    seconds: { type: 'string', default: '3600' },
  },
})
const { seed, seeds, from, seconds, ...sizes } = values
const args = Object.entries(sizes).flatMap(([name, value]) => [`--${name}`, value])
const fresh = Array.from({ length: Number(seeds) }, (_, index) => Number(from) + index)
const chosen = seed === undefined ? fresh : [Number(seed)]
const endAt = performance.now() + Number(seconds) * 1_000
const limitSeconds = Math.ceil(Number(sizes.hours) * 3_600) + graceSeconds
const faulty: number[] = []
for (const next of chosen) {
  if (performance.now() > endAt) break
  const { printed, fault } = await spawnSeed(next, args, { cwd: project, limitSeconds })
  process.stdout.write(printed)
  if (fault === undefined) continue
  if (!printed.includes(fault)) console.log(fault)
  faulty.push(next)
}
if (faulty.length > 0) {
  console.log(`faults with ${faulty.map((seed) => `--seed ${seed}`).join(', ')}`)
  process.exitCode = 1
}
