// The packages as they would be published from a copy of the working tree, in which nothing was built.
import { execFile } from 'node:child_process'
import { copyFile, glob, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { type PackedPackage, packPackage, packPackages } from '../../scripts/packages/pack.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Makes an empty directory outside of the project, which is removed after the test. */
export async function makeDirectory(t: Test): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'floe-packages-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Packs all packages. */
export async function packClone(t: Test): Promise<PackedPackage[]> {
  const clone = await makeClone(t)
  const tarballs = await makeDirectory(t)
  return packPackages(clone, tarballs)
}

/** Packs the client, and returns a directory in which it and what it depends on are installed. */
export async function installClient(t: Test): Promise<string> {
  const clone = await makeClone(t)
  const project = await makeDirectory(t)
  const { tarball, version } = await packPackage(clone, 'client', project)
  const manifest = { private: true, type: 'module', dependencies: { '@floe/client': version } }
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest))
  const client = join(project, 'node_modules/@floe/client')
  await mkdir(client, { recursive: true })
  // The files are in a folder `package`.
  await promisify(execFile)('tar', ['-xzf', tarball, '-C', client, '--strip-components=1'])
  // Our own file.
  const { dependencies } = JSON.parse(await readFile(join(client, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  for (const name of Object.keys(dependencies)) {
    await symlink(join(root, 'node_modules', name), join(project, 'node_modules', name))
  }
  return project
}

/** Copies the working tree without what git ignores. */
async function makeClone(t: Test): Promise<string> {
  const clone = await makeDirectory(t)
  await copySources(clone)
  await linkDependencies(clone)
  return clone
}

async function copySources(clone: string): Promise<void> {
  const rooms = [
    'package.json',
    '.npmrc',
    'tsconfig.json',
    'build',
    'docs',
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
  for await (const modules of glob(['node_modules', '*/node_modules'], { cwd: root })) {
    await mkdir(join(clone, modules), { recursive: true })
    for (const name of await readdir(join(root, modules))) {
      if (name !== '@floe') await symlink(join(root, modules, name), join(clone, modules, name))
    }
  }
  await mkdir(join(clone, 'node_modules/@floe'))
  for (const name of await readdir(join(root, 'node_modules/@floe'))) {
    await symlink(join(clone, name), join(clone, 'node_modules/@floe', name))
  }
}
