// `npm run bench`: measures Floe beside its peers, prints one table and writes it to docs/internals/benchmarks.md.
// Needs Linux, and a Python with the packages of scripts/compare/requirements.txt. Takes about ten minutes.
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { cpus, platform } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { measureColdAnswers } from './cold-answers.ts'
import { runPeer } from './peers.ts'
import { writeTable } from './measuring/table.ts'
import { measureWarmAnswers } from './warm-answers.ts'

const rounds = 3
const secondsPerRound = 4
const root = fileURLToPath(new URL('../..', import.meta.url))
const repositories = join(root, '.floe/bench/repositories')

console.log('writing the repositories that do not exist yet')
await runPeer('write_repositories', [repositories])
console.log('measuring warm answers')
const warm = await measureWarmAnswers(repositories, rounds, secondsPerRound)
console.log('measuring cold answers')
const cold = await measureColdAnswers(repositories, rounds)

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
// Its own page does not count: it is what this run replaces.
const isChanged = git('status', '--porcelain', '--', ':/', ':!docs/internals/benchmarks.md') !== ''
const commit = `commit ${git('rev-parse', '--short=10', 'HEAD')}${isChanged ? ' with changes' : ''}`
const processors = `${cpus().length} cores of ${cpus()[0]?.model ?? 'unknown kind'}`
const document = `# Benchmarks

\`npm run bench\` wrote this page on ${commit}: Node ${process.version} on ${platform()}, ${processors}.
All figures are medians of ${rounds} rounds, with the smallest and the largest value. Floe and its peers alternate
within a round, so compare the ratios rather than the figures. [Measurements](measurements.md) has what this page does
not measure.

## Warm answers

Requests a second of processor time, with 32 connections. *Bare Fastify* checks the same key and sends the same bytes
from memory. xpublish runs on uvicorn with uvloop, without a key, and checks the head of the branch once a second, as
Floe does.

${writeTable(warm)}

## Cold answers

Each in a new process that has answered one question about another repository. The peer is a new Python process that
has opened another repository: \`inspect_snapshot\` for lists, \`open_zarr\` and \`to_dict\` for \`info\`, and
\`chunk_coordinates\` for gaps.

${writeTable(cold)}
`
console.log(document)
await writeFile(join(root, 'docs/internals/benchmarks.md'), document)
