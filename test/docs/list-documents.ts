import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the project. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The folders whose files a document may name. */
export const rooms = ['contract', 'client', 'storage', 'server', 'test', 'scripts', 'docs', 'deploy', 'python']

/** Lists the paths of all Markdown documents of the project. */
export async function listDocuments(): Promise<string[]> {
  const found = await Promise.all(
    rooms.map(async (room) => {
      const entries = await readdir(join(root, room), { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    }),
  )
  const own = found.flat().filter((path) => !/(^|\/)(node_modules|dist|\.tap|tap-testdir[^/]*)\//.test(path))
  return ['README.md', 'CONTRIBUTING.md', ...own]
}
