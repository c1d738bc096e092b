import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type BackupParts, makeBackup, restoreBackup } from '@floe/storage/backup'
import { applyDeclaredReceivers, listReceivers, openDatabase, openReceiver } from '@floe/storage/database'
import { openKeyFile, parseSecretKeys, SecretBox } from '@floe/storage/secrets'
import { sql } from 'kysely'
import { t, type Test } from 'tap'
import { webhook } from '../recorded.ts'
import { rememberRepository } from '../remember-repository.ts'

const now = new Date(Date.UTC(2026, 10, 21, 1, 2, 3))
const onProgress = () => {}
const signal = new AbortController().signal

/** A database with a webhook that has a secret token. */
async function makeDatabase(file: string, configured?: SecretBox): Promise<void> {
  const secrets = configured ?? openKeyFile(`${file}.key`)
  const db = await openDatabase(`sqlite:${file}`)
  const repoId = await rememberRepository(db, 'acme', 'weather', now)
  await applyDeclaredReceivers(db, { org: 'acme', repoId }, [webhook('hook', { secretToken: 'open-sesame' })], {
    secrets,
    now,
  })
  await db.destroy()
}

async function readToken(file: string, configured?: SecretBox): Promise<string | null | undefined> {
  const secrets = configured ?? openKeyFile(`${file}.key`)
  const db = await openDatabase(`sqlite:${file}`)
  const repoId = await rememberRepository(db, 'acme', 'weather', now)
  const [receiver] = await listReceivers(db, { org: 'acme', repoId })
  await db.destroy()
  return receiver && openReceiver(receiver, secrets, now).secretToken
}

function makeBox(): SecretBox {
  const keys = parseSecretKeys(randomBytes(32).toString('base64'))
  if (keys === undefined) throw new Error('that is no key')
  return new SecretBox(() => keys)
}

/** Makes a backup of a database whose keys are in its key file. */
const backUp = (path: string, parts: Partial<BackupParts> & Pick<BackupParts, 'database'>) =>
  makeBackup(path, { configured: undefined, now, signal, onProgress, ...parts })

/** Makes a database, and a backup of it in the same folder. */
async function prepare(t: Test, configured?: SecretBox) {
  const folder = t.testdir()
  const database = join(folder, 'floe.db')
  await makeDatabase(database, configured)
  const backup = join(folder, 'floe.backup')
  const report = await backUp(backup, { database, configured })
  const target = join(folder, 'elsewhere/deep/floe.db')
  const restore = (box = configured, replaces = false, stop = signal) =>
    restoreBackup(backup, { database: target, configured: box, replaces, now, signal: stop, onProgress })
  return { folder, database, backup, report, target, restore }
}

t.test('a backup is one file for its owner alone, and holds the database and its keys', async (t) => {
  const { folder, database, backup, report, target, restore } = await prepare(t)
  t.strictSame(report, { receivers: 1, keys: 'included' })
  t.equal((await stat(backup)).mode & 0o777, 0o600)
  const names = await readdir(folder)
  t.strictSame(names.filter((name) => !name.startsWith('floe.db')).sort(), ['floe.backup'], 'nothing else is left')

  t.match(await restore(), { receivers: 1, keys: 'included', replaced: undefined })
  t.strictSame((await readdir(join(target, '..'))).sort(), ['floe.db', 'floe.db.key'])
  for (const file of [target, `${target}.key`]) t.equal((await stat(file)).mode & 0o777, 0o600, file)
  const keys = await readFile(`${database}.key`, 'utf8')
  t.equal(await readFile(`${target}.key`, 'utf8'), keys)
  t.notOk((await readFile(target)).includes(keys.trim()), 'the keys leave no trace in the database')
  t.equal(await readToken(target), 'open-sesame')
})

t.test('a backup of a service whose keys are configured holds none, and needs the same ones', async (t) => {
  const box = makeBox()
  const { report, backup, target, restore } = await prepare(t, box)
  t.strictSame(report, { receivers: 1, keys: 'configured' })
  const needed = { name: 'BackupError', message: /is sealed with the key .*FLOE_ENCRYPTION_KEY\) must hold the keys/ }
  await t.rejects(restore(makeBox()), needed)
  await t.rejects(
    restoreBackup(backup, { database: target, configured: undefined, replaces: false, now, signal, onProgress }),
    needed,
  )
  t.strictSame(await readdir(join(target, '..')), [], 'nothing is left')
  await restore()
  t.notOk(existsSync(`${target}.key`))
  t.equal(await readToken(target, box), 'open-sesame')
})

t.test('a backup replaces no file, and needs a database', async (t) => {
  const { database, backup, folder } = await prepare(t)
  const before = await readFile(backup)
  await t.rejects(backUp(backup, { database }), { name: 'BackupError', message: /exists already/ })
  t.ok((await readFile(backup)).equals(before))
  const missing = { database: join(folder, 'none.db') }
  await t.rejects(backUp(join(folder, 'new'), missing), { name: 'BackupError', message: /there is no database/ })
  await t.rejects(backUp(join(folder, 'nowhere/new'), { database }), {
    name: 'BackupError',
    message: /cannot be written/,
  })
  t.notOk(existsSync(missing.database))
  await writeFile(missing.database, 'not a database '.repeat(1_000))
  await t.rejects(backUp(join(folder, 'new'), missing), { name: 'BackupError', message: /none.db cannot be copied: / })
})

t.test('a backup that could not be restored is not made', async (t) => {
  const folder = t.testdir()
  const database = join(folder, 'floe.db')
  await makeDatabase(database)
  await writeFile(`${database}.key`, `${randomBytes(32).toString('base64')}\n`)
  const backup = join(folder, 'floe.backup')
  await t.rejects(backUp(backup, { database }), {
    name: 'BackupError',
    message: /is sealed with the key .*: the key file beside the database.* is not the one that encrypted it/,
  })
  t.strictSame((await readdir(folder)).sort(), ['floe.db', 'floe.db.key'])
})

t.test('a backup that is stopped leaves nothing', async (t) => {
  const { folder, database } = await prepare(t)
  const before = await readdir(folder)
  const stopped = backUp(join(folder, 'new'), { database, signal: AbortSignal.abort() })
  await t.rejects(stopped, { name: 'BackupError', message: /the command was stopped, and nothing is left of it/ })
  t.strictSame(await readdir(folder), before)
})

/** Finds the first page of a table. */
function findPage(file: string, table: string): number {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return Number(db.prepare('select rootpage from sqlite_schema where name = ?').get(table)?.['rootpage'])
  } finally {
    db.close()
  }
}

function zeroPage(bytes: Buffer, page: number): Buffer {
  const pageBytes = 4_096
  return Buffer.concat([
    bytes.subarray(0, (page - 1) * pageBytes),
    Buffer.alloc(pageBytes),
    bytes.subarray(page * pageBytes),
  ])
}

// Proves: an incomplete backup replaces nothing
t.test('what is not a whole backup is refused before anything is replaced', async (t) => {
  const { folder, database, backup, target, restore } = await prepare(t)
  await restore()
  const bytes = await readFile(backup)
  const present = await readFile(target)
  const cases: Record<string, Buffer> = {
    'is text': Buffer.from('not a database '.repeat(1_000)),
    'is empty': Buffer.alloc(0),
    'is cut short': bytes.subarray(0, bytes.length - 8_192),
    'has zeros in the middle': Buffer.concat([bytes.subarray(0, 8_192), Buffer.alloc(16_384), bytes.subarray(24_576)]),
    'has zeros in a page that only the check of all pages reads': zeroPage(bytes, findPage(backup, 'heads')),
    'is a database without keys': await readFile(database),
  }
  for (const [name, content] of Object.entries(cases)) {
    await writeFile(backup, content)
    await t.rejects(
      restore(undefined, true),
      { name: 'BackupError', message: /floe.backup cannot be restored: / },
      name,
    )
  }
  await writeFile(backup, bytes)
  const newer = await openDatabase(`sqlite:${backup}`)
  await sql`insert into floe_migrations (name, applied_at) values ('9999-teleport', '2030-01-01')`.execute(newer)
  await newer.destroy()
  await t.rejects(restore(undefined, true), { name: 'DatabaseError', message: /is newer than this program/ })
  t.strictSame((await readdir(join(target, '..'))).sort(), ['floe.db', 'floe.db.key'])
  t.ok((await readFile(target)).equals(present))
  t.ok(existsSync(join(folder, 'floe.db')))
})

t.test('a database is replaced only with --force and while it is not in use, and is renamed', async (t) => {
  const { target, restore } = await prepare(t)
  await restore()
  await t.rejects(restore(), {
    name: 'BackupError',
    message: /floe.db.key and .*floe.db would be replaced: --force renames/,
  })

  const db = await openDatabase(`sqlite:${target}`)
  await rememberRepository(db, 'acme', 'later', now)
  await t.rejects(restore(undefined, true), { name: 'BackupError', message: /is in use: stop every process/ })
  await rememberRepository(db, 'acme', 'latest', now)
  await db.destroy()

  const { replaced } = await restore(undefined, true)
  t.equal(replaced, `${target}.replaced-20261121T010203Z`)
  t.equal(await readToken(target), 'open-sesame')
  const names = async (file: string) => {
    await using db = await openDatabase(`sqlite:${file}`)
    return (await db.selectFrom('repositories').select('name').orderBy('name').execute()).map(({ name }) => name)
  }
  t.strictSame(await names(target), ['weather'])
  t.strictSame(await names(String(replaced)), ['later', 'latest', 'weather'])
  t.equal(await readToken(String(replaced)), 'open-sesame', 'with its keys')
})

t.test('a damaged database can be replaced', async (t) => {
  const { target, restore } = await prepare(t)
  await restore()
  await writeFile(target, 'not a database '.repeat(1_000))
  await restore(undefined, true)
  t.equal(await readToken(target), 'open-sesame')
})

t.test(
  'only a backup with exactly the tables and indexes of Floe is restored, and no view of it is read',
  async (t) => {
    const { backup, target, restore } = await prepare(t)
    const bytes = await readFile(backup)
    const endless = 'with recursive n(made_at, keys) as (select 1, 2 union all select 1, 2 from n) select * from n'
    const cases: Record<string, RegExp> = {
      [`alter table floe_backup rename to b; create view floe_backup as ${endless}`]:
        /it has the view floe_backup, but/,
      [`create view more as ${endless}`]: /it has the view more, but Floe makes only tables and indexes/,
      'create trigger more after delete on receivers begin select 1; end': /it has the trigger more, but/,
      'create table more (x)': /it has the table more, which Floe has not made/,
      'create index more on api_keys (abs(id))': /it has the index more, which Floe has not made/,
      'drop table api_keys': /its (?:table|index) \S*api_keys\S* is missing or changed/,
      'drop table floe_migrations': /it has no table floe_migrations/,
      'alter table api_keys add column more text': /its table api_keys is missing or changed/,
    }
    for (const [statements, message] of Object.entries(cases)) {
      await writeFile(backup, bytes)
      const db = new DatabaseSync(backup)
      db.exec(statements)
      db.close()
      await t.rejects(restore(), { name: 'BackupError', message }, statements)
    }
    t.strictSame(await readdir(join(target, '..')), [], 'nothing is left')
  },
)

t.test('a pipe is neither restored nor replaced', async (t) => {
  const { folder, backup, target, restore } = await prepare(t)
  await restore()
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const parts = { database: target, configured: undefined, now, signal, onProgress }
  await t.rejects(restoreBackup(pipe, { ...parts, replaces: true }), { message: /pipe .*is not a regular file/ })
  await t.rejects(restoreBackup(backup, { ...parts, database: pipe, replaces: true }), {
    message: /pipe is not a regular file/,
  })
  await t.rejects(backUp(join(folder, 'new'), { database: pipe }), { message: /pipe is not a regular file/ })
})

t.test('a restore whose last step fails changes nothing', async (t) => {
  const { target, restore } = await prepare(t)
  await restore()
  const folder = join(target, '..')
  const key = await readFile(`${target}.key`)
  await rm(target)
  // No file is there, and none can be linked there.
  await symlink('nowhere', target)
  await t.rejects(restore(undefined, true), { name: 'BackupError', message: /floe.db cannot be written: .*EEXIST/ })
  t.strictSame((await readdir(folder)).sort(), ['floe.db', 'floe.db.key'])
  t.ok((await readFile(`${target}.key`)).equals(key), 'the key file is back')
  await rm(`${target}.key`)
  await t.rejects(restore(), { name: 'BackupError', message: /EEXIST/ })
  t.strictSame(await readdir(folder), ['floe.db'], 'the new key file is gone')
})

t.test('a restore that is stopped changes nothing', async (t) => {
  const { target, restore } = await prepare(t)
  const stopped = { name: 'BackupError', message: /the command was stopped, and nothing is left of it/ }
  await t.rejects(restore(undefined, false, AbortSignal.abort()), stopped)
  t.strictSame(await readdir(join(target, '..')), [])
})
