import { t } from 'tap'
import { good } from '../../../../server/main/commands/good.ts'
import { startGoodHeads, startMoving } from '../../start-good-heads.ts'
import { captureTerminal } from './capture-terminal.ts'
import { runHere } from './run-here.ts'

t.test('the exit code says whether the head is good, is not, or is not known yet', async (t) => {
  const { server, first, move, post, point } = await startGoodHeads(t)
  const flags = ['--url', `${server.origin}/v1`, '--org', 'acme', '--deployment', 'tiles']
  const run = (...args: string[]) => runHere(['good', 'sea', ...args, ...flags], { FLOE_API_KEY: server.apiKey })
  t.match(await run(), {
    code: 3,
    out: '',
    err: /^floe: sea main is not good yet: quality is missing; no head is good\n$/,
  })
  await post(first, 'passed')
  t.strictSame(await run('main', '--wait', '10m'), { code: 0, out: `${first}\n`, err: '' })
  const bad = await move('s1')
  await post(bad, 'failed', 'step 12 is NaN')
  const err = `floe: sea main is not good: quality failed: step 12 is NaN; the last good head is ${first}\n`
  t.strictSame(await run('main', '--wait', '10m'), { code: 1, out: '', err })
  const { out } = await run('--json')
  t.match(JSON.parse(out), { head_snapshot_id: bad, behind: 1 })
  const retraction = { kind: 'retraction', snapshot: bad, text: 'A fault of the sensor' }
  t.equal((await server.administer('POST', 'repos/sea/remarks', retraction)).status, 201)
  t.match(await run(), { code: 1, err: /is not good: was retracted; quality failed: step 12 is NaN;/ })
  await point('branch.main', 's2')
  t.match(await run(), { code: 3, err: /the service has not seen yet/ })
  t.match(await run('nothing'), { code: 1, err: /no branch, tag or snapshot called "nothing"/ })
  t.match(await run('main', '--wait', 'long'), { code: 2, err: /--wait must be a duration/ })
})

t.test('it waits while something is missing', async (t) => {
  const { server, first, post } = await startGoodHeads(t)
  const { terminal, printed } = captureTerminal({ FLOE_API_KEY: server.apiKey })
  const values = { url: `${server.origin}/v1`, org: 'acme', deployment: 'tiles', wait: '10m' }
  let waits = 0
  const after = (ms: number, callback: () => void) => {
    t.equal(ms, 2_000)
    void (async () => {
      if (++waits === 2) await post(first, 'passed')
      callback()
    })()
    return () => {}
  }
  await good({ values, operands: ['sea'] }, terminal, { after, elapsed: () => 0 })
  t.equal(waits, 2)
  t.equal(printed.out, `${first}\n`)
})

t.test('it fails at once where nothing says which heads are good', async (t) => {
  const { server } = await startMoving(t)
  const flags = ['--url', `${server.origin}/v1`, '--org', 'acme', '--deployment', 'open', '--wait', '10m']
  t.match(await runHere(['good', 'sea', ...flags]), {
    code: 1,
    err: 'floe: nothing says which heads of main are good\n',
  })
})
