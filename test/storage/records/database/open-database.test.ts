import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '@floe/storage/database'
import { t } from 'tap'
import { reachableEngines } from './engines.ts'
import { rememberRepository } from './remember-repository.ts'

const engines = await reachableEngines(t)

t.test('a database and its directory are made when missing, and opened again as they are', async (t) => {
  const url = `sqlite:${join(t.testdir(), 'deep/er/floe.db')}`
  const first = await openDatabase(url)
  const id = await rememberRepository(first, 'acme', 'weather', new Date())
  await first.destroy()
  const second = await openDatabase(url)
  t.teardown(() => second.destroy())
  t.equal(await rememberRepository(second, 'acme', 'weather', new Date()), id)
})

// Proves: processes that start at the same time migrate once
t.test('processes that open a new database at once all succeed', async (t) => {
  const urls = [`sqlite:${join(t.testdir(), 'floe.db')}`]
  for (const engine of engines) if (engine.newUrl !== undefined) urls.push(await engine.newUrl(t))
  for (const url of urls) {
    const program = `
      import { openDatabase } from '@floe/storage/database'
      await (await openDatabase(${JSON.stringify(url)})).destroy()`
    const codes = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const args = ['--conditions=@floe/source', '--input-type=module', '--eval', program]
        const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'close')
        return Number(code)
      }),
    )
    t.strictSame(codes, [0, 0, 0, 0, 0, 0], url)
  }
})

t.test('what cannot be opened is named, without its password', async (t) => {
  const file = join(t.testdir(), 'not-a-database')
  await writeFile(file, 'this is text, and more of it than the header of a database would take '.repeat(20))
  await t.rejects(openDatabase(`sqlite:${file}`), { name: 'DatabaseError', message: /not a database/ })
  const directory = { name: 'DatabaseError', message: /unable to open database file; .* must be able to write to it/ }
  await t.rejects(openDatabase(`sqlite:${t.testdirName}`), directory)
  await t.rejects(openDatabase('mysql://localhost'), { name: 'DatabaseError', message: /sqlite:FILE or postgres:/ })
  const refused = await openDatabase('postgres://me:geheim@127.0.0.1:1/floe?password=geheim').catch(String)
  t.match(refused, /DatabaseError: postgres:\/\/127\.0\.0\.1:1\/floe cannot be opened: .*ECONNREFUSED/)
  t.notMatch(refused, /geheim/)
})

t.test('a file that another process is changing is named, with what to do', async (t) => {
  const url = `sqlite:${join(t.testdir(), 'floe.db')}`
  const other = await openDatabase(url)
  t.teardown(() => other.destroy())
  await other.transaction().execute(async () => {
    const opened = openDatabase(url, { busyMs: 50, statementMs: null, answerMs: null })
    await t.rejects(opened, { name: 'DatabaseLockedError', message: /another process is changing it; try again/ })
  })
})
