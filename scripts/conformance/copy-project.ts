import { cp, glob, mkdir, readdir, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

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
