import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { defaultFilter } from '@floe/contract/lists'
import { applyDeclaredReceivers, listReceivers, openDatabase, openReceiver } from '@floe/storage/database'
import { openKeyFile, parseSecretKeys, SecretBox } from '@floe/storage/secrets'
import { t } from 'tap'
import { runHere } from '../run-here.ts'
import { rememberRepository } from '../../../../storage/records/database/remember-repository.ts'

/** A database file with one webhook. */
async function addWebhook(database: string, secrets: SecretBox) {
  const db = await openDatabase(database)
  const repoId = await rememberRepository(db, 'acme', 'weather', new Date())
  const url = 'https://one.test/'
  const hook = {
    kind: 'webhook',
    alias: 'hook',
    url,
    service: null,
    filter: defaultFilter,
    secretToken: 'open sesame',
    headers: {},
    signingSecret: null,
  } as const
  await applyDeclaredReceivers(db, { org: 'acme', repoId }, [hook], { secrets, now: new Date() })
  await db.destroy()
  return async (box: SecretBox) => {
    const db = await openDatabase(database)
    const [receiver] = await listReceivers(db, { org: 'acme', repoId })
    await db.destroy()
    return receiver && openReceiver(receiver, box, new Date()).secretToken
  }
}

const makeKey = () => randomBytes(32).toString('base64')

function openBox(text: string): SecretBox {
  const keys = parseSecretKeys(text)
  if (keys === undefined) throw new Error('that is no key')
  return new SecretBox(() => keys)
}

t.test('rotate-key replaces the key in the file beside the database', async (t) => {
  const file = join(t.testdir(), 'floe.db')
  const read = await addWebhook(`sqlite:${file}`, openKeyFile(`${file}.key`))
  const before = await readFile(`${file}.key`, 'utf8')
  const { code, out, err } = await runHere(['secrets', 'rotate-key', '--database', `sqlite:${file}`])
  t.match({ code, err }, { code: 0, err: `1 webhooks and chats with a new key, which is in ${file}.key` })
  const after = await readFile(`${file}.key`, 'utf8')
  t.notMatch(after, before.trim())
  t.notMatch(out + err, after.trim())
  t.equal(await read(openKeyFile(`${file}.key`)), 'open sesame')
})

t.test('rotate-key encrypts secrets with the first of the configured keys', async (t) => {
  const database = `sqlite:${join(t.testdir(), 'floe.db')}`
  const [older, newer] = [makeKey(), makeKey()]
  const read = await addWebhook(database, openBox(older))
  const environment = { FLOE_DATABASE: database, FLOE_ENCRYPTION_KEY: `${newer},${older}` }
  t.match(await runHere(['secrets', 'rotate-key'], environment), { code: 0, err: 'the other keys can be removed' })
  t.equal(await read(openBox(newer)), 'open sesame')
})

t.test('a start with a key that opens nothing is refused, and names the key that is missing', async (t) => {
  const directory = t.testdir()
  const database = `sqlite:${join(directory, 'floe.db')}`
  const [older, newer] = [makeKey(), makeKey()]
  await addWebhook(database, openBox(older))
  await mkdir(join(directory, 'repositories'))
  const serve = ['serve', join(directory, 'repositories'), '--org', 'acme', '--deployment', 'tiles', '--port', '0']
  const { code, out, err } = await runHere([...serve, '--database', database], { FLOE_ENCRYPTION_KEY: newer })
  t.match({ code, err }, { code: 1, err: `key ${parseSecretKeys(older)?.[0].id}` })
  t.notMatch(out + err, newer)
})

t.test('PostgreSQL without a key refuses to start, before it is asked for anything', async (t) => {
  const database = ['--database', 'postgres://127.0.0.1:1/floe']
  const serve = ['serve', t.testdir(), '--org', 'acme', '--deployment', 'tiles', '--port', '0', ...database]
  for (const args of [serve, ['secrets', 'rotate-key', ...database]]) {
    t.match(await runHere(args), { code: 1, err: /FLOE_ENCRYPTION_KEY.* is needed/ })
  }
})

t.test('a key that is none stops the start, and is not repeated', async (t) => {
  const config = join(t.testdir(), 'floe.yaml')
  await writeFile(config, 'encryptionKey: hush-hush\n')
  const fromFile = await runHere(['secrets', 'rotate-key', '--config', config])
  t.match(fromFile, { code: 1, err: /encryptionKey: must be 32 bytes in base64/ })
  const fromVariable = await runHere(['secrets', 'rotate-key'], { FLOE_ENCRYPTION_KEY: '12345' })
  t.match(fromVariable, { code: 1, err: /encryptionKey: must be 32 bytes in base64/ })
  for (const { out, err } of [fromFile, fromVariable]) t.notMatch(out + err, /hush|12345/)
  t.match(await runHere(['secrets']), { code: 2, err: 'secrets needs rotate-key' })
})
