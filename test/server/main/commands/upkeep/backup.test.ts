// Backups of a service that works, and what they become, with processes as operators run them.
import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, openDatabase } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { moveHead } from '../../../../storage/records/database/recorded.ts'
import { startReceiver } from '../../../notifications/start-receiver.ts'
import { basic, fixtures } from '../../../start-server.ts'
import { askService } from '../../ask-service.ts'
import { runFloe, serveConfig, writeConfig } from '../floe-process.ts'
import { runHere } from '../run-here.ts'
import { rememberRepository } from '../../../../storage/records/database/remember-repository.ts'

/** A receiver that accepts what has the right secret token. */
async function openReceiver(t: Test) {
  const waiting = new Map<string, () => void>()
  const port = await startReceiver(t, (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const isRight = request.headers['x-secret-token'] === 'open-sesame'
      response.writeHead(isRight ? 204 : 403).end()
      if (!isRight) return
      waiting.get(body)?.()
    })
  })
  const waitFor = (body: string) => new Promise<void>((resolve) => waiting.set(body, resolve))
  return { url: `https://127.0.0.1:${port}/`, waitFor }
}

/**
 * Records a head move. The service, which looks at the repository itself, may do so at the same moment; then this tries
 * again.
 */
async function move(db: Database, repoId: string, snapshotId: string): Promise<void> {
  for (let tries = 0; tries < 9; tries++) {
    const failure = await moveHead(db, repoId, [snapshotId], new Date()).catch((error: unknown) => error)
    if (failure === undefined) return
  }
  throw new Error(`the move to ${snapshotId} was not recorded`)
}

/** A folder with a repository, and the configuration of a service that keeps its database there. */
async function makeFolder(cwd: string): Promise<void> {
  await cp(join(fixtures, 'weather'), join(cwd, 'repositories/weather'), { recursive: true })
  await writeConfig(cwd)
}

const run = (...args: string[]) => runHere(args)

// Proves: a backup of a running service is complete and starts elsewhere
t.test('a backup made while the service delivers starts elsewhere', async (t) => {
  const receiver = await openReceiver(t)
  const root = t.testdir()
  const [first, second] = [join(root, 'first'), join(root, 'second')]
  for (const cwd of [first, second]) await makeFolder(cwd)
  const database = `sqlite:${join(first, 'floe.db')}`
  const created = await run('keys', 'create', '--org', 'acme', '--role', 'admin', '--database', database)
  const headers = { authorization: basic('acme', created.out.trim()), 'content-type': 'application/json' }
  const service = await serveConfig(t, first)
  const body = JSON.stringify({
    kind: 'webhook',
    url: receiver.url,
    alias: 'hook',
    events: ['NewCommit'],
    secret_token: 'open-sesame',
  })
  const added = await askService(`${service.origin}/v1/orgs/acme/repos/weather/receivers`, {
    method: 'POST',
    headers,
    body,
  })
  t.equal(added.status, 201)

  const db = await openDatabase(database)
  const repoId = await rememberRepository(db, 'acme', 'weather', new Date())
  const backedUp = new AbortController()
  let moves = 0
  const moving = (async () => {
    while (!backedUp.signal.aborted) {
      const arrived = receiver.waitFor(`{"to":"S${++moves}"}`)
      await move(db, repoId, `S${moves}`)
      await arrived
    }
  })()
  const backup = await runFloe(t, first, 'backup', '../floe.backup', '--config', 'floe.yaml')
  backedUp.abort()
  // What was on its way arrives, however long the backup took.
  await moving
  t.match(backup, {
    code: 0,
    out: '',
    err: /holds .*floe.db with its keys; test-restored with 1 webhooks and chats\n$/,
  })
  t.notMatch(backup.err, '\u001b', 'no progress is shown where nobody sees it')
  await db.destroy()

  const backupFile = join(root, 'floe.backup')
  const restore = (...more: string[]) => run('restore', backupFile, '--config', join(second, 'floe.yaml'), ...more)
  t.match(await restore(), { code: 0, err: /^restored .*floe.db with its keys, with 1 webhooks and chats\n$/ })
  t.match(await restore(), { code: 1, err: /would be replaced: --force/ })
  const successor = await serveConfig(t, second)
  const listed = await askService(`${successor.origin}/v1/orgs/acme/keys`, { headers })
  t.equal(listed.status, 200, 'keys are valid in the successor')
  const restored = await openDatabase(`sqlite:${join(second, 'floe.db')}`)
  t.equal(await rememberRepository(restored, 'acme', 'weather', new Date()), repoId)
  const delivered = receiver.waitFor('{"to":"elsewhere"}')
  await move(restored, repoId, 'elsewhere')
  await delivered
  await restored.destroy()

  t.match(await restore('--force'), { code: 1, err: /floe.db is in use: stop every process of Floe first/ })
  successor.child.kill('SIGTERM')
  t.match(await successor.ended, { code: 0 })
  t.match(await restore('--force'), { code: 0, err: /what was there is now .*floe.db.replaced-\d{8}T\d{6}Z\n$/ })
  t.strictSame(
    (await readdir(second)).filter((name) => name.startsWith('.floe-')),
    [],
  )
  service.child.kill('SIGTERM')
  const { code, err } = await service.ended
  t.equal(code, 0)
  t.match(err, '"msg":"webhook.create"')
  t.notMatch(err, /"level":"(?:warn|error|fatal)"/)
})

t.test('backup and restore say what they cannot do', async (t) => {
  const file = join(t.testdir(), 'file')
  const database = ['--database', `sqlite:${join(t.testdirName, 'floe.db')}`]
  for (const command of ['backup', 'restore']) {
    t.match(await run(command, file, '--database', 'postgres://127.0.0.1:1/floe'), { code: 1, err: /pg_dump/ })
    t.match(await run(command), { code: 2, err: /needs FILE|does not take/ })
  }
  t.match(await run('backup', file, ...database), { code: 1, err: /there is no database .*floe.db/ })
  t.match(await run('restore', file, ...database), { code: 1, err: /there is no file .*file/ })
  t.strictSame(await readdir(t.testdirName), [])
})
