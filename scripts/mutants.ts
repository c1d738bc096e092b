// Mutants of this project: copies whose source is changed in one place. `npm run conformance` and `npm run simulate --
// mutations` check that something notices each change.
import { cp, glob, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A change of the source. The text occurs exactly once in the file. */
export type Mutation = readonly [file: string, text: string, replacement: string]

const root = fileURLToPath(new URL('..', import.meta.url))

const left: ReadonlySet<string> = new Set(['.git', '.tap', 'node_modules'])

/**
 * Copies the working tree of this project to a new directory. Installed packages are linked; the project's own packages
 * are copied.
 */
export async function copyProject(copy: string): Promise<void> {
  await cp(root, copy, { recursive: true, verbatimSymlinks: true, filter: (path) => !left.has(basename(path)) })
  for await (const nested of glob('*/node_modules', { cwd: root }))
    await symlink(join(root, nested), join(copy, nested))
  const [installed, linked] = [join(root, 'node_modules'), join(copy, 'node_modules')]
  await mkdir(linked)
  for (const name of await readdir(installed))
    if (name !== '@floe') await symlink(join(installed, name), join(linked, name))
  // npm's links to the workspaces are relative.
  await cp(join(installed, '@floe'), join(linked, '@floe'), { recursive: true, verbatimSymlinks: true })
}

/** Says why a mutation does not fit a project; undefined if it fits. */
export async function findMisfit(project: string, [file, text]: Mutation): Promise<string | undefined> {
  const source = await readFile(join(project, file), 'utf8').catch(() => undefined)
  if (source === undefined) return `its mutation no longer fits: ${file} does not exist`
  const count = source.split(text).length - 1
  if (count === 1) return undefined
  return `its mutation no longer fits: ${text} occurs ${count} times in ${file}, and must occur once`
}

/** Makes a mutation in a copy of the project while something runs there. */
export async function runMutated<Result>(
  copy: string,
  [file, text, replacement]: Mutation,
  run: () => Promise<Result>,
): Promise<Result> {
  const path = join(copy, file)
  const source = await readFile(path, 'utf8')
  await writeFile(
    path,
    source.replace(text, () => replacement),
  )
  try {
    return await run()
  } finally {
    await writeFile(path, source)
  }
}
