import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  addReceiver,
  applyDeclaredReceivers,
  listReceivers,
  openDatabase,
  openReceiver,
  resealSecrets,
  rotateKeyFile,
  rotateSigningSecret,
  updateReceiver,
} from '@floe/storage/database'
import type { Database } from '@floe/storage/database'
import {
  dropOldKeys,
  generateSecretKey,
  listKeyIds,
  openKeyFile,
  putKeyFirst,
  SecretBox,
  type SecretKeys,
} from '@floe/storage/secrets'
import { sql } from 'kysely'
import { t, type Test } from 'tap'
import { testOnEngines } from '../engines.ts'
import { explainLastQuery } from '../explain-queries.ts'
import { at, by, webhook } from '../recorded.ts'
import { rememberRepository } from '../remember-repository.ts'

const chatUrl = 'https://hooks.slack.com/services/T0/hush-hush'
const webhookUrl = 'https://receiver.example.org/hush-hush/hook?key=hush-hush'
const declared = [
  webhook('hook', { url: webhookUrl, secretToken: 'open-sesame', headers: { 'X-Key': 'hush', Other: 'hush hush' } }),
  webhook('chat', { kind: 'chat', service: 'slack', url: chatUrl }),
]
const boxOf = (...keys: SecretKeys) => new SecretBox(() => keys)

async function addRepository(db: Database, secrets: SecretBox, name = 'weather'): Promise<string> {
  const repoId = await rememberRepository(db, 'acme', name, at(0))
  await applyDeclaredReceivers(db, { org: 'acme', repoId }, declared, { secrets, now: at(0) })
  return repoId
}

/** Opens all secrets of a repository. */
async function openAll(db: Database, repoId: string, secrets: SecretBox) {
  const receivers = (await listReceivers(db, { org: 'acme', repoId })).map((one) => openReceiver(one, secrets, at(1)))
  return receivers.map(({ url, secretToken, headers, signingSecrets }) => [
    url,
    secretToken,
    ...Object.values(headers),
    ...signingSecrets,
  ])
}

const test = await testOnEngines(t)

test('all secrets come under the first key, and stay what they are', async (t, { db }) => {
  const [older, newer] = [generateSecretKey(), generateSecretKey()]
  const repoIds: string[] = []
  for (let n = 0; n < 60; n++) repoIds.push(await addRepository(db, boxOf(older), `r${n}`))
  const repoId = repoIds[7] ?? ''
  const before = await openAll(db, repoId, boxOf(older))
  t.equal(await resealSecrets(db, boxOf(newer, older)), 120, 'more than one batch')
  t.equal(await resealSecrets(db, boxOf(newer, older)), 0)
  t.strictSame(await openAll(db, repoId, boxOf(newer)), before)
  t.equal((await listReceivers(db, { org: 'acme', repoId }))[0]?.version, 1, 'nobody has changed anything')
  await t.rejects(resealSecrets(db, boxOf(generateSecretKey(), older)), { name: 'UnknownKeyError', message: newer.id })
  t.strictSame(await openAll(db, repoId, boxOf(newer)), before)
})

test('a secret that was sealed with another key is found beside those of the current one', async (t, { db }) => {
  const [older, newer] = [generateSecretKey(), generateSecretKey()]
  const [before, after] = [boxOf(older), boxOf(newer, older)]
  const repoId = await rememberRepository(db, 'acme', 'weather', at(0))
  const creation = { ...webhook('hook'), secretToken: 'open-sesame', headers: { A: 'hush' }, signingSecret: undefined }
  const add = { ...creation, org: 'acme', repoId, isEnabled: true }
  const { receiver } = await addReceiver(db, add, { secrets: before, by, now: at(0) })
  const changes = [
    () => updateReceiver(db, receiver, { url: 'https://other.example.org/' }, { secrets: after, by, now: at(1) }),
    () => updateReceiver(db, receiver, { headers: { A: 'hush hush' } }, { secrets: before, by, now: at(2) }),
    () => rotateSigningSecret(db, receiver, { secrets: before, by, now: at(3) }),
    () => addReceiver(db, { ...add, alias: 'new' }, { secrets: before, by, now: at(4) }),
    () => addRepository(db, before, 'ocean'),
  ]
  for (const change of changes) {
    await change()
    t.not(await resealSecrets(db, after), 0)
    t.equal(await resealSecrets(db, after), 0)
    await openAll(db, repoId, boxOf(newer))
  }
  await t.rejects(
    resealSecrets(db, boxOf(generateSecretKey())),
    { name: 'UnknownKeyError' },
    'another key does not fit',
  )
})

t.test(
  'while no key has changed, a start reads two entries of an index, however many receivers there are',
  async (t) => {
    const db = await openDatabase('sqlite::memory:')
    t.teardown(() => db.destroy())
    const secrets = boxOf(generateSecretKey())
    await addRepository(db, secrets)
    const search = 'SEARCH receivers USING COVERING INDEX receivers_of_key'
    const plan = await explainLastQuery(db, (spied) => resealSecrets(spied, secrets))
    t.strictSame(
      plan.filter((step) => step.includes('receivers')),
      [search, search],
    )
  },
)

test('no table holds a secret that can be read', async (t, { db }) => {
  const box = boxOf(generateSecretKey())
  const repoId = await addRepository(db, box)
  const result = await sql`select * from receivers`.execute(db)
  const rows = JSON.stringify(result.rows)
  t.match(rows, 'hooks.slack.com:443')
  const secrets = (await openAll(db, repoId, box)).flat().filter((text) => text !== null)
  t.equal(secrets.length, 6)
  for (const secret of secrets) t.notMatch(rows, secret)
  t.notMatch(rows, 'hush-hush')
})

/** Creates a database file with a repository whose secrets are sealed with the key of a key file. */
async function openFile(t: Test) {
  const directory = t.testdir()
  const [file, path] = [join(directory, 'floe.db'), join(directory, 'floe.db.key')]
  const box = openKeyFile(path)
  // Many changes wait for each other here, and each waits for the disk.
  const db = await openDatabase(`sqlite:${file}`, { busyMs: 60_000, statementMs: null, answerMs: null })
  const repoId = await addRepository(db, box)
  return { db, directory, path, repoId, before: await openAll(db, repoId, box) }
}

const countKeys = async (path: string) => (await readFile(path, 'utf8')).trim().split('\n').length

t.test('no file of the database holds a secret that can be read', async (t) => {
  const { db, directory, before } = await openFile(t)
  const secrets = before.flat().filter((text) => text !== null)
  const unreadable = async (when: string) => {
    for (const name of await readdir(directory)) {
      const bytes = await readFile(join(directory, name))
      for (const secret of [...secrets, 'hush-hush']) t.notOk(bytes.includes(secret), `${when}: ${name}`)
    }
  }
  await unreadable('while it is open')
  await db.destroy()
  await unreadable('afterwards')
})

t.test('a rotation leaves one new key, while another process goes on', async (t) => {
  const { db, path, repoId, before } = await openFile(t)
  t.teardown(() => db.destroy())
  const older = openKeyFile(path)
  const running = openKeyFile(path)
  t.equal(await rotateKeyFile(db, path), 2)
  t.equal(await countKeys(path), 1)
  t.strictSame(await openAll(db, repoId, running), before)
  const webhook = (await listReceivers(db, { org: 'acme', repoId })).find(({ kind }) => kind === 'webhook')
  t.strictSame(listKeyIds(webhook?.signingSecrets[0]?.sealed ?? ''), [older.readCurrentKeyId()])
})

t.test('what is added during a rotation is not lost', async (t) => {
  const { db, path } = await openFile(t)
  t.teardown(() => db.destroy())
  const running = openKeyFile(path)
  const names = Array.from({ length: 40 }, (_, index) => `r${index}`)
  const [, ...repoIds] = await Promise.all([
    rotateKeyFile(db, path),
    ...names.map((name) => addRepository(db, running, name)),
  ])
  t.equal(await countKeys(path), 1)
  for (const repoId of repoIds) t.equal((await openAll(db, repoId, openKeyFile(path))).length, 2)
})

t.test('a rotation that is cut off anywhere loses nothing, and the next one finishes it', async (t) => {
  const steps = [
    async () => {},
    async (_db: Database, path: string) => putKeyFirst(path),
    async (db: Database, path: string) => {
      putKeyFirst(path)
      await resealSecrets(db, openKeyFile(path))
    },
    async (db: Database, path: string) => {
      putKeyFirst(path)
      await resealSecrets(db, openKeyFile(path))
      dropOldKeys(path)
    },
  ]
  for (const [index, cutOff] of steps.entries()) {
    await t.test(`after ${index} steps`, async (t) => {
      const { db, path, repoId, before } = await openFile(t)
      t.teardown(() => db.destroy())
      await cutOff(db, path)
      t.strictSame(await openAll(db, repoId, openKeyFile(path)), before)
      t.equal(await rotateKeyFile(db, path), 2)
      t.equal(await countKeys(path), 1)
      t.strictSame(await openAll(db, repoId, openKeyFile(path)), before)
    })
  }
})

t.test('rotations at the same time end with keys that open everything', async (t) => {
  const { db, directory, path, repoId, before } = await openFile(t)
  const other = await openDatabase(`sqlite:${join(directory, 'floe.db')}`)
  t.teardown(() => Promise.all([db.destroy(), other.destroy()]))
  await Promise.all([rotateKeyFile(db, path), rotateKeyFile(db, path)])
  await rotateKeyFile(other, path)
  t.strictSame(await openAll(db, repoId, openKeyFile(path)), before)
  t.equal(await countKeys(path), 1)
})
