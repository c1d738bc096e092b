// People read pages that are short. What only the team needs is in docs/internals.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { t } from 'tap'
import { listDocuments, root } from './list-documents.ts'

/** Most words of all documents for users and operators, and of a page about a feature. */
const maxWords = 22_000
const maxPageWords = 900

/** Pages in which people look something up. */
const references = new Map([
  ['docs/using/events.md', 1_200],
  ['docs/using/expectations.md', 1_100],
  ['docs/using/http.md', 1_300],
])

/** Counts words outside of code blocks. Lines and bars of tables are no words. */
function countWords(text: string): number {
  const prose = text.replaceAll(/^ *```.*?^ *```/gms, '')
  return prose.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

const paths = (await listDocuments()).filter((path) => path === 'README.md' || /^docs\/(?!internals\/)/.test(path))
const counts = new Map(
  await Promise.all(paths.map(async (path) => [path, countWords(await readFile(join(root, path), 'utf8'))] as const)),
)

t.test('the documents for users and operators are short', (t) => {
  const words = [...counts.values()].reduce((sum, count) => sum + count, 0)
  t.comment(`${words} words in ${counts.size} documents`)
  t.ok(counts.size > 30 && words > 10_000 && words <= maxWords, `${words} words`)
  t.end()
})

t.test('a page about a feature can be read in five minutes', (t) => {
  for (const [path, words] of counts) {
    if (!path.startsWith('docs/using/')) continue
    t.ok(words <= (references.get(path) ?? maxPageWords), `${path}: ${words} words`)
  }
  t.end()
})
