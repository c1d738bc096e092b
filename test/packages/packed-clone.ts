// The packages as they would be published from a clean clone, in which nothing was built.
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { type PackedPackage, packPackages } from '../../scripts/packages/pack.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Makes an empty directory outside of the project, which is removed after the test. */
export async function makeDirectory(t: Test): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'floe-packages-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Packs the packages of a copy of the working tree, without what git ignores. */
export async function packClone(t: Test): Promise<PackedPackage[]> {
  const clone = await makeDirectory(t)
  await copySources(clone)
  await linkDependencies(clone)
  const tarballs = await makeDirectory(t)
  return packPackages(clone, tarballs)
}

async function copySources(clone: string): Promise<void> {
  const rooms = [
    'package.json',
    '.npmrc',
    'tsconfig.json',
    'build',
    'scripts',
    'contract',
    'client',
    'storage',
    'server',
  ]
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate', '--', ...rooms]
  const { stdout } = await promisify(execFile)('git', list, { cwd: root, maxBuffer: 10_000_000 })
  for (const file of stdout.split('\0')) {
    if (file === '') continue
    await mkdir(join(clone, dirname(file)), { recursive: true })
    await copyFile(join(root, file), join(clone, file))
  }
}

/** Gives the clone what `npm ci --ignore-scripts` would install: the packages of others, and links to its own. */
async function linkDependencies(clone: string): Promise<void> {
  for (const modules of ['node_modules', 'server/node_modules']) {
    await mkdir(join(clone, modules))
    for (const name of await readdir(join(root, modules))) {
      if (name !== '@floe') await symlink(join(root, modules, name), join(clone, modules, name))
    }
  }
  await mkdir(join(clone, 'node_modules/@floe'))
  for (const name of await readdir(join(root, 'node_modules/@floe'))) {
    await symlink(join(clone, name), join(clone, 'node_modules/@floe', name))
  }
}
