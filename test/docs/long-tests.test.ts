import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { t } from 'tap'
import { root } from './list-documents.ts'

t.test('test/README.md lists every long test', async (t) => {
  const readme = await readFile(join(root, 'test/README.md'), 'utf8')
  const listed = [...readme.matchAll(/^\| `([^`]+\.long\.test\.ts)` \|/gm)].map(([, path = '']) => path)
  const files = await readdir(join(root, 'test'), { recursive: true })
  t.strictSame(listed.sort(), files.filter((path) => path.endsWith('.long.test.ts')).sort())
})
