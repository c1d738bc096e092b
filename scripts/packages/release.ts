// `npm run release`: builds, tests and packs the packages, and prints what would be published. Publishes nothing.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type PackedPackage, packPackages } from './pack.ts'
import { packPython, readPythonVersion } from './pack-python.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const destination = fileURLToPath(new URL('../../release/', import.meta.url))

/** Runs a command. If it fails, it has printed why, and this process ends too. */
async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit' })
  const [code] = await once(child, 'close')
  if (code === 0) return
  console.error(`\nNothing is packed, because ${command} ${args.join(' ')} has failed`)
  process.exit(1)
}

/** Lists why the packages should not be published yet. */
async function listObstacles(packages: readonly PackedPackage[], pythonVersion: string): Promise<string[]> {
  const obstacles: string[] = []
  if (packages.some(({ repository }) => repository.includes('example.org'))) {
    obstacles.push('`repository` in each package.json is still an example: name the address of the project')
  }
  const { stdout: changes } = await promisify(execFile)('git', ['status', '--porcelain'], { cwd: root })
  if (changes !== '') {
    obstacles.push('there are changes that are not committed: commit or remove the files that git status lists')
  }
  const changesets = (await readdir(join(root, '.changeset'))).filter((file) => /(?<!README)\.md$/.test(file))
  if (changesets.length > 0) {
    obstacles.push('.changeset/ has changes that are not in a version: run npm run changeset version')
  }
  for (const { name, version } of packages) {
    const file = `${name.slice('@floe/'.length)}/CHANGELOG.md`
    const changelog = await readFile(join(root, file), 'utf8')
    if (!changelog.includes(`\n## ${version}\n`)) {
      obstacles.push(`${file} has no section for ${version}: run npm run changeset version`)
    }
  }
  const client = packages.find(({ name }) => name === '@floe/client')
  if (client?.version !== pythonVersion) {
    obstacles.push(`python/pyproject.toml has version ${pythonVersion}: write ${client?.version}, as @floe/client has`)
  }
  return obstacles
}

function describeRelease(packages: readonly PackedPackage[], wheel: string, obstacles: readonly string[]): string {
  const end =
    obstacles.length > 0
      ? ['Not yet:', '', ...obstacles]
      : // npm would read a path without a leading dot as a repository on GitHub.
        [
          'To publish it:',
          '',
          ...packages.map((packed) => `npm publish --access public ./${toTarball(packed)}`),
          `twine upload ${wheel}`,
        ]
  return ['This would be published:', '', ...packages.map(describePackage), `floe-client: ${wheel}`, '', ...end].join(
    '\n',
  )
}

function describePackage(packed: PackedPackage): string {
  const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1000)} kB`
  const { name, version, size, unpackedSize, files } = packed
  const sizes = `${files.length} files, ${kilobytes(unpackedSize)}, packed ${kilobytes(size)}`
  return `${name} ${version}: ${sizes}: ${toTarball(packed)}`
}

const toTarball = ({ tarball }: PackedPackage): string => relative(root, tarball)

const python = process.env['FLOE_TEST_PYTHON'] ?? 'python3'
// Fails early, because the tests take long.
await run(python, ['-c', 'import flit_core'])
// Deletes the packages of an earlier run.
await rm(destination, { recursive: true, force: true })
// `npm test` builds first. The long tests install the packages as users do.
await run('npm', ['test'])
await run('npm', ['run', 'test:long'])
await mkdir(destination)
const packages = await packPackages(root, destination)
const wheel = await packPython(root, destination, python)
const obstacles = await listObstacles(packages, await readPythonVersion(root))
console.log(`\n${describeRelease(packages, relative(root, wheel), obstacles)}`)
if (obstacles.length > 0) process.exitCode = 1
