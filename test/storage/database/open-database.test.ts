import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase, rememberRepository } from '@floe/storage/database'
import t from 'tap'

t.test('a database and its directory are made when missing, and opened again as they are', async (t) => {
  const url = `sqlite:${join(t.testdir(), 'deep/er/floe.db')}`
  const first = await openDatabase(url)
  const id = await rememberRepository(first, 'acme', 'weather', new Date())
  await first.destroy()
  const second = await openDatabase(url)
  t.teardown(() => second.destroy())
  t.equal(await rememberRepository(second, 'acme', 'weather', new Date()), id, 'an id is stable')
  t.not(await rememberRepository(second, 'other', 'weather', new Date()), id, 'and belongs to one organisation')
})

t.test('processes that open a new database at once all succeed', async (t) => {
  const url = `sqlite:${join(t.testdir(), 'floe.db')}`
  const program = `import { openDatabase } from '@floe/storage/database'; await (await openDatabase(${JSON.stringify(url)})).destroy()`
  const codes = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const args = ['--conditions=@floe/source', '--input-type=module', '--eval', program]
      const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'close')
      return Number(code)
    }),
  )
  t.strictSame(codes, [0, 0, 0, 0, 0, 0])
})

t.test('what cannot be opened is named', async (t) => {
  const file = join(t.testdir(), 'not-a-database')
  await writeFile(file, 'this is text, and more of it than the header of a database would take '.repeat(20))
  await t.rejects(openDatabase(`sqlite:${file}`), { name: 'DatabaseError', message: /not a database/ })
  await t.rejects(openDatabase('mysql://localhost'), { name: 'DatabaseError', message: /sqlite:FILE is expected/ })
})
