// Imports point one way: there is no circle of files, and none among the folders inside any folder.
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { t } from 'tap'

const root = fileURLToPath(new URL('../../', import.meta.url))
const packages = ['build', 'contract', 'client', 'storage', 'server', 'scripts']

/** An import of one file by another, as paths below the root. */
type Import = { readonly from: string; readonly to: string }

async function listSourceFiles(): Promise<string[]> {
  const lists = await Promise.all(
    packages.map(async (name) => {
      const entries = await readdir(join(root, name), { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    }),
  )
  return lists.flat().filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
}

async function listImports(file: string): Promise<Import[]> {
  const text = await readFile(join(root, file), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^'\n]+)'/g)].map(([, specifier = '']) => ({
    from: file,
    to: join(dirname(file), specifier),
  }))
}

/**
 * The folders directly inside their nearest common folder through which an import leads; undefined within one folder.
 */
function findFolders({ from, to }: Import): readonly [from: string, to: string] | undefined {
  const [left, right] = [dirname(from).split(sep), dirname(to).split(sep)]
  let shared = 0
  while (shared < Math.min(left.length, right.length) && left[shared] === right[shared]) shared++
  // One folder holds the other: what lies beside subfolders may use them, and be used by them.
  if (shared === left.length || shared === right.length) return undefined
  return [left.slice(0, shared + 1).join(sep), right.slice(0, shared + 1).join(sep)]
}

/** The way from `start` back to itself; undefined when there is none. */
function findCircle(arrows: ReadonlyMap<string, ReadonlySet<string>>, start: string): string[] | undefined {
  const seen = new Set<string>()
  const search = (from: string, path: readonly string[]): string[] | undefined => {
    for (const next of arrows.get(from) ?? []) {
      if (next === start) return [...path, next]
      if (seen.has(next)) continue
      seen.add(next)
      const circle = search(next, [...path, next])
      if (circle) return circle
    }
    return undefined
  }
  return search(start, [start])
}

/** Groups imports by where they begin. */
function collectArrows(pairs: Iterable<readonly [from: string, to: string]>): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>()
  for (const [from, to] of pairs) arrows.set(from, (arrows.get(from) ?? new Set()).add(to))
  return arrows
}

const imports = (await Promise.all((await listSourceFiles()).map(listImports))).flat()

t.test('no circle of files, types included', async (t) => {
  t.ok(imports.length > 500, `${imports.length} imports`)
  const arrows = collectArrows(imports.map(({ from, to }) => [from, to]))
  for (const file of arrows.keys()) t.equal(findCircle(arrows, file)?.join(' -> '), undefined, file)
})

t.test('no circle of folders', async (t) => {
  const arrows = collectArrows(imports.map(findFolders).filter((folders) => folders !== undefined))
  for (const folder of arrows.keys()) t.equal(findCircle(arrows, folder)?.join(' -> '), undefined, folder)
})
