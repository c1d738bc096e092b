// The table of keys in docs/configuration.md is the schema of the configuration: every key, its variable and its default.
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { listConfigKeys, loadConfig } from '../../server/config/load-config.ts'

type Row = { readonly key: string; readonly variable: string; readonly value: string }

const page = await readFile(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
const rows: Row[] = [...page.matchAll(/^\| `([\w.]+)` \| `(FLOE_\w+)` \| (.+?) \| .+ \|$/gm)].map(
  ([, key = '', variable = '', value = '']) => ({ key, variable, value }),
)

t.test('the table lists every key once', (t) => {
  t.strictSame(
    rows.map(({ key }) => key).toSorted(),
    listConfigKeys()
      .map((path) => path.join('.'))
      .toSorted(),
  )
  t.end()
})

t.test('each variable with its default changes nothing', async (t) => {
  const plain = await loadConfig(undefined, {}, {})
  let tried = 0
  for (const { key, variable, value } of rows) {
    const [, text] = /^`([^`]+)`$|^(\d+ MiB)$/.exec(value)?.filter((part) => part !== undefined) ?? []
    if (text === undefined || text.includes('HOST')) continue
    tried++
    t.strictSame(await loadConfig(undefined, { [variable]: text.replace(' MiB', 'MiB') }, {}), plain, key)
  }
  t.ok(tried > 15, `${tried} defaults`)
})
