// Packs the published packages, in the order of their dependencies.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const folders = ['contract', 'client', 'storage', 'server']

export type PackedPackage = {
  readonly name: string
  readonly version: string
  readonly tarball: string
  /** Size of the tarball in bytes. */
  readonly size: number
  /** Size of the files in bytes. */
  readonly unpackedSize: number
  readonly files: readonly string[]
  readonly repository: string
}

/** The members of `npm pack --json` that are read. */
type Printed = {
  readonly filename: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

/**
 * Builds and packs all packages.
 *
 * @param root - directory of the project, with its development dependencies installed
 * @param destination - existing directory for the tarballs
 */
export async function packPackages(root: string, destination: string): Promise<PackedPackage[]> {
  const packed: PackedPackage[] = []
  for (const folder of folders) packed.push(await packPackage(root, folder, destination))
  return packed
}

/** Builds and packs the package in a folder of the project. */
export async function packPackage(root: string, folder: string, destination: string): Promise<PackedPackage> {
  // The script runs separately, because its output would be mixed with the JSON.
  await run(root, ['run', 'prepack', `--workspace=./${folder}`])
  const args = ['pack', `./${folder}`, '--json', '--ignore-scripts', '--pack-destination', destination]
  const printed: unknown = JSON.parse(await run(root, args))
  return describe(join(root, folder), destination, printed)
}

async function describe(root: string, destination: string, printed: unknown): Promise<PackedPackage> {
  // npm documents this form: a list of one package.
  const [{ filename, size, unpackedSize, files }] = printed as [Printed]
  // The project's own file.
  const { name, version, repository } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly version: string
    readonly repository: { readonly url: string }
  }
  return {
    name,
    version,
    tarball: join(destination, filename),
    size,
    unpackedSize,
    files: files.map(({ path }) => path),
    repository: repository.url,
  }
}

async function run(cwd: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', args, { cwd, maxBuffer: 50_000_000 })
  return stdout
}
