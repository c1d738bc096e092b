// Runs one seed in this process; `simulate.ts` starts it.
import './machine/install.ts'
import { parseArgs } from 'node:util'
import { seedOptions } from './seed-options.ts'

const { values } = parseArgs({ options: { ...seedOptions, seed: { type: 'string', default: '1' } } })
// After the machine is installed, which the modules of the service must find.
const { simulate } = await import('./simulate-seed.ts')
const { hash, faults, lastSteps, simulatedMs, steps, summary } = await simulate({
  seed: Number(values.seed),
  engine: values.engine,
  hours: Number(values.hours),
  replicas: Number(values.replicas),
  repositories: Number(values.repositories),
  to: Number(values.to),
  show: Number(values.show),
})
const { user, system } = process.cpuUsage()
const speed = Math.round(simulatedMs / ((user + system) / 1_000))
if (faults.length > 0 || values.to !== 'Infinity') for (const step of lastSteps) console.log(step)
console.log(`seed ${values.seed}: ${hash} after ${steps} steps, ${speed} s in a second of the processor; ${summary}`)
for (const fault of faults) console.log(`FAULT at ${fault}`)
process.exitCode = faults.length > 0 ? 1 : 0
