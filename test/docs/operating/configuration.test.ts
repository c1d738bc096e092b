// The table of keys in docs/operating/configuration.md is the schema of the configuration: every key, its variable and
// its default.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '@floe/storage/database'
import { sql } from 'kysely'
import { t } from 'tap'
import { listConfigKeys, loadConfig } from '../../../server/main/configuration/load-config.ts'
import { at, expire, moveHead, repositoryWith, webhook } from '../../storage/records/database/recorded.ts'

type Row = { readonly key: string; readonly variable: string; readonly value: string }

const page = await readFile(new URL('../../../docs/operating/configuration.md', import.meta.url), 'utf8')
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

/** What the documents leave out. */
const placeholders = {
  "'9f86d081...'": `'${'9f86d081'.repeat(8)}'`,
  'file: contract.json': 'contract: { version: 1, datasets: {} }',
  'whsec_...': `whsec_${Buffer.alloc(32).toString('base64')}`,
  'whsec_your-signing-secret': `whsec_${Buffer.alloc(32).toString('base64')}`,
}

const sections = new Set(listConfigKeys().map(([section]) => section))

/** Whether a block is of `floe.yaml`, and not of another program's file. */
function isConfiguration(block: string): boolean {
  const [, first] = /^ *(\w+):/m.exec(block) ?? []
  return sections.has(first)
}

t.test('each configuration in the documents can be loaded', async (t) => {
  const docs = new URL('../../../docs/', import.meta.url)
  const files = (await readdir(docs, { recursive: true })).filter((file) => file.endsWith('.md'))
  let loaded = 0
  for (const file of files) {
    const text = await readFile(new URL(file, docs), 'utf8')
    for (const [, indent = '', block = ''] of text.matchAll(/^( *)```yaml\n(.*?)^ *```/gms)) {
      if (!isConfiguration(block)) continue
      loaded++
      const yaml = Object.entries(placeholders).reduce(
        (filled, [shown, value]) => filled.replaceAll(shown, value),
        block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      )
      const path = join(t.testdir({ 'floe.yaml': yaml }), 'floe.yaml')
      // Some show a part of the file only.
      await t.resolves(loadConfig(path, {}, { orgs: { acme: {} } }), `${file}: ${block.slice(0, 60)}`)
    }
  }
  t.ok(loaded > 4, `${loaded} configurations`)
})

t.test('the statements that delete the receivers also have their deliveries deleted', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const { repoId } = await repositoryWith(db, [webhook('one'), webhook('two')])
  await moveHead(db, repoId, ['A', 'B'], at(1))
  const [, statements = ''] = /^sqlite3 floe\.db <<'END'\n(.*?)^END$/ms.exec(page) ?? []
  for (const statement of statements.trim().split('\n')) await sql.raw(statement).execute(db)
  t.strictSame(await db.selectFrom('receivers').select('id').execute(), [])
  while ((await expire(db, {})) > 0);
  t.strictSame(await db.selectFrom('deliveries').select('id').execute(), [])
})
