// Each table of a document has a header and at least one row. A blank line inside a table would cut it, and the rest
// would be shown as text.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { t } from 'tap'
import { listDocuments, root } from './list-documents.ts'

/** Lists the blocks of consecutive lines that begin with a pipe, outside of code. */
function listTables(text: string): string[][] {
  const prose = text.replaceAll(/^ *```.*?^ *```/gms, '')
  const blocks = prose.matchAll(/(?:^ *\|.*(?:\n|$))+/gm)
  return [...blocks].map(([block]) => block.trimEnd().split('\n'))
}

t.test('each table has a header, a delimiter row and rows', async (t) => {
  let tables = 0
  for (const path of await listDocuments()) {
    for (const [header, delimiter = '', ...rows] of listTables(await readFile(join(root, path), 'utf8'))) {
      tables++
      t.ok(/^ *\|(?: *:?-{3,}:? *\|)+ *$/.test(delimiter) && rows.length > 0, `${path}: ${header}`)
    }
  }
  t.ok(tables > 50, `${tables} tables`)
})
