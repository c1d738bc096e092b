// `npm run try-receiver`, run as people run it but for npm.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { NewCommit } from '@floe/contract'
import { t, type Test } from 'tap'
import { waitUntil } from '../server/wait-until.ts'

const script = fileURLToPath(new URL('../../scripts/try-receiver.ts', import.meta.url))

/** The script with a directory for its temporary files, and all that it has printed. */
function start(t: Test) {
  const directory = t.testdir()
  const env = { TMPDIR: directory, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }
  const args = ['--conditions=@floe/source', script]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  const printed = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.err += text))
  const waitFor = async (text: string) => {
    while (!printed.out.includes(text)) await once(child.stdout, 'data')
  }
  return { child, printed, until: waitFor, left: () => readdir(directory), closed: once(child, 'close') }
}

/** The bodies that were printed. */
function readNotifications(out: string) {
  const bodies = out.match(/^\{$.*?^\}$/gms) ?? []
  return bodies.map((body) => NewCommit.parse(JSON.parse(body)).details)
}

t.test('two notifications arrive, are verified and shown, and forged ones are refused', async (t) => {
  const { printed, closed, left } = start(t)
  t.strictSame(await closed, [0, null], printed.err)
  const { out } = printed
  const [first, second, ...others] = readNotifications(out)
  t.match(first, { org_name: 'acme', repo_name: 'weather', commits_unavailable_reason: 'first_observation' })
  t.match(second, { previous_snapshot_id: first?.snapshot_id, commits_unavailable_reason: null })
  t.match(
    second?.commits?.map(({ commit_message }) => commit_message),
    ['Add the 12 UTC run 🛰️', 'Name the person to ask'],
  )
  t.strictSame(others, [])

  t.match(out, /^webhook-sequence: 1$[^]*^webhook-sequence: 2$/m)
  for (const line of [
    /^x-secret-token: \S+$/gm,
    /^webhook-signature: v1,\S+$/gm,
    /^secret token +right: /gm,
    /^signature +right: /gm,
    /^schema +right: /gm,
    /^answered +204$/gm,
  ]) {
    t.equal(out.match(line)?.length, 2, String(line))
  }
  t.match(out, /another commit message\n +answered 401: The signature is .*wrong/)
  t.match(out, /another secret token\n +answered 401: x-secret-token is .*wrong/)
  t.notMatch(out, 'WRONG')
  t.match(out, /read docs\/using\/receiving\.md\.\n$/)
  t.strictSame(await left(), [])
})

t.test('Ctrl-C ends it at any time and leaves nothing behind', async (t) => {
  for (const moment of ['', '== The first notification', '== Requests']) {
    const { child, printed, until, closed, left } = start(t)
    if (moment === '') await waitUntil(async () => (await left()).length > 0)
    else await until(moment)
    child.kill('SIGINT')
    child.kill('SIGINT')
    const [code, signal] = await closed
    // On a busy machine it may have done everything before the signal came. Node.js no longer listens for signals while
    // it ends.
    const isDone = printed.out.endsWith('docs/using/receiving.md.\n')
    t.ok(isDone ? code === 0 || signal === 'SIGINT' : code === 130, `${moment}: ${code}, ${signal}, ${printed.err}`)
    t.strictSame(await left(), [], moment)
  }
})
