// Every test that docs/conformance.md names exists under that title.
import { readFile } from 'node:fs/promises'
import { t } from 'tap'

const root = new URL('../../', import.meta.url)

t.test('each promise names a test that exists', async (t) => {
  const text = await readFile(new URL('docs/conformance.md', root), 'utf8')
  const rows = [...text.matchAll(/^\| .+ \| `([\w./-]+)`: (.+) \|$/gm)]
  t.ok(rows.length > 40, `${rows.length} rows`)
  for (const [, file = '', title = ''] of rows) {
    const tests = await readFile(new URL(`test/${file}`, root), 'utf8')
    t.ok(tests.replaceAll("\\'", "'").includes(title), `${file}: ${title}`)
  }
})
