import './machine/install.ts'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    hours: { type: 'string', default: '1' },
    replicas: { type: 'string', default: '3' },
    repositories: { type: 'string', default: '20' },
    to: { type: 'string' },
  },
})
const { simulate } = await import('./simulation.ts')
const result = await simulate({
  seed: Number(values.seed),
  hours: Number(values.hours),
  replicas: Number(values.replicas),
  repositories: Number(values.repositories),
  to: values.to === undefined ? Infinity : Number(values.to),
})
const { user, system } = process.cpuUsage()
console.log(result.hash, result.faults, result.steps, result.simulatedMs / 1000 / ((user + system) / 1e6), (user + system) / 1e6)
if (result.faults.length > 0 || values.to) console.log(result.lastSteps.map((l) => l.slice(0, 300)).join('\n'))
