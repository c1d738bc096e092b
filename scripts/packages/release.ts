// `npm run release`: builds, tests and packs what would be published, and prints it. It publishes nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PackedPackage, packPackages } from './pack.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const destination = fileURLToPath(new URL('../../release/', import.meta.url))

/** Runs a command. Throws when it fails. */
async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit' })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} has failed`)
}

/** Lists why the packages should not be published yet. */
async function listObstacles(packages: readonly PackedPackage[]): Promise<string[]> {
  const obstacles: string[] = []
  if (packages.some(({ repository }) => repository.includes('example.org'))) {
    obstacles.push('`repository` in each package.json is still an example: name the address of the project')
  }
  const changesets = (await readdir(`${root}/.changeset`)).filter((file) => /(?<!README)\.md$/.test(file))
  if (changesets.length > 0)
    obstacles.push('.changeset/ has changes that no version contains: run npx changeset version')
  for (const { name, version } of packages) {
    const folder = name.slice('@floe/'.length)
    const changelog = await readFile(`${root}/${folder}/CHANGELOG.md`, 'utf8')
    if (!changelog.includes(`\n## ${version}\n`))
      obstacles.push(`${folder}/CHANGELOG.md does not know ${version}: run npx changeset version`)
  }
  return obstacles
}

function describe({ name, version, tarball, size, unpackedSize, files }: PackedPackage): string {
  const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1000)} kB`
  return `${name} ${version}: ${files.length} files, ${kilobytes(unpackedSize)}, packed ${kilobytes(size)}: ${relative(root, tarball)}`
}

// `npm test` builds first. The long tests install the packages, as users do.
await run('npm', ['test'])
await run('npm', ['run', 'test:long'])
await rm(destination, { recursive: true, force: true })
await mkdir(destination)
const packages = await packPackages(root, destination)

console.log('\nThis would be published:\n')
for (const packed of packages) console.log(describe(packed))
const obstacles = await listObstacles(packages)
if (obstacles.length > 0) {
  console.log(`\nNot yet:\n\n${obstacles.join('\n')}`)
  process.exitCode = 1
} else {
  console.log('\nTo publish it:\n')
  for (const { tarball } of packages) console.log(`npm publish --access public ${relative(root, tarball)}`)
}
