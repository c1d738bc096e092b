// `npm run release`: builds, tests and packs what would be published, and prints it. It publishes nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describeRelease } from './describe-release.ts'
import { listObstacles } from './list-obstacles.ts'
import { packPackages } from './pack.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const destination = fileURLToPath(new URL('../../release/', import.meta.url))

/** Runs a command, which says itself why it fails. Then this process ends too. */
async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit' })
  const [code] = await once(child, 'close')
  if (code === 0) return
  console.error(`\nNothing is packed, because ${command} ${args.join(' ')} has failed`)
  process.exit(1)
}

// What an earlier run packed must not be taken for what this run would publish.
await rm(destination, { recursive: true, force: true })
// `npm test` builds first. The long tests install the packages, as users do.
await run('npm', ['test'])
await run('npm', ['run', 'test:long'])
await mkdir(destination)
const packages = await packPackages(root, destination)
const obstacles = await listObstacles(root, packages)
console.log(`\n${describeRelease(root, packages, obstacles)}`)
if (obstacles.length > 0) process.exitCode = 1
