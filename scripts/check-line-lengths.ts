// Fails for lines of more than 120 columns in hand-written TypeScript. prettier breaks code at that width, but neither
// comments nor strings, and oxlint has no rule for it.
import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const maxColumns = 120

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = '{build,client,contract,scripts,server,storage,test}/**/*.{ts,tsx}'

/** Files that are generated, or that consist of data. */
const exclude = [
  '**/node_modules/**',
  '**/dist/**',
  '**/generated/**',
  'test/fixtures/**',
  // The outlines of the continents, as coordinates.
  'server/pages/dataset/drawings/world-outline.ts',
]

const comment = /^\s*(?:\/\/|\/?\*)/

/** A web address or a regular expression, which cannot be broken. */
const singleWord = /^\s*(?:\/\/ |\* )?\S+$/

/**
 * Finds the numbers of the lines that are too long. In tests, only comments count, because other long lines there are
 * samples of exact answers.
 */
export function findLongLines(path: string, text: string): number[] {
  return text.split('\n').flatMap((line, index) => {
    const isLong = line.length > maxColumns && Array.from(line).length > maxColumns
    const counts = !path.startsWith('test/') || comment.test(line)
    return isLong && counts && !singleWord.test(line) ? [index + 1] : []
  })
}

if (import.meta.main) {
  for await (const path of glob(sources, { cwd: root, exclude })) {
    for (const line of findLongLines(path, await readFile(root + path, 'utf8'))) {
      console.error(`${path}:${line} has more than ${maxColumns} columns`)
      process.exitCode = 1
    }
  }
}
