import { PassThrough, Writable } from 'node:stream'
import { t } from 'tap'
import { showProgress, writeTo } from '../../../../server/main/commands/terminal.ts'
import { ManualTiming } from '../../notifications/manual-timing.ts'

/** Runs work of which a test says when it ends, and collects what the terminal gets. */
function start(isInteractive: boolean) {
  const timing = new ManualTiming()
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let shown = ''
  let show: (text: string) => void = () => {}
  const work = (given: typeof show) => {
    show = given
    return promise
  }
  const errors = new Writable({
    decodeStrings: false,
    write: (text, _encoding, done) => {
      shown += text
      done()
    },
  })
  const ended = showProgress({ isInteractive, ...writeTo(errors, errors) }, work, timing)
  return { timing, ended, resolve, reject, show: (text: string) => show(text), readShown: () => shown }
}

t.test('a command that takes less than a second shows nothing', async (t) => {
  const { timing, ended, resolve, show, readShown } = start(true)
  show('copying: 10 %')
  await timing.pass(900)
  resolve('done')
  t.equal(await ended, 'done')
  await timing.pass(5_000)
  t.equal(readShown(), '')
})

// Proves: a command that takes long shows its progress on a terminal
t.test('a longer one shows what it does on one line, which is erased at the end', async (t) => {
  const { timing, ended, resolve, show, readShown } = start(true)
  show('copying: 10 %')
  await timing.pass(1_000)
  t.equal(readShown(), '\r\u001b[Kcopying: 10 %')
  show('copying: 50 %')
  show(`copying: 90 % ${'x'.repeat(100)}`)
  await timing.pass(1_000)
  t.equal(readShown(), `\r\u001b[Kcopying: 10 %\r\u001b[Kcopying: 90 % ${'x'.repeat(64)}`)
  resolve('done')
  await ended
  t.ok(readShown().endsWith('\r\u001b[K'))
})

t.test('the line is erased before an error is shown', async (t) => {
  const { timing, ended, reject, show, readShown } = start(true)
  show('copying')
  await timing.pass(1_000)
  reject(new Error('no space'))
  await t.rejects(ended, /no space/)
  t.ok(readShown().endsWith('\r\u001b[K'))
})

t.test('nothing is shown where the output is no terminal', async (t) => {
  const { timing, ended, resolve, show, readShown } = start(false)
  show('copying')
  await timing.pass(5_000)
  resolve('done')
  await ended
  t.equal(readShown(), '')
})

t.test('what is written cannot control the terminal, and JSON stays the same JSON', (t) => {
  const names = ['\u001b[2J', '\u009b2J', '\u202egnp.exe', '\u{e0001}x', 'a\rb\vc', 'Zürich']
  const [output, errors] = [new PassThrough(), new PassThrough()]
  const { out, err } = writeTo(output, errors)
  out(`${names.join('\t')}\n`)
  err(JSON.stringify(names, null, 2))
  t.equal(
    String(output.read()),
    String.raw`\u001b[2J \u009b2J \u202egnp.exe \udb40\udc01x a\u000db\u000bc Zürich`.replaceAll(' ', '\t') + '\n',
    'line feeds and tabs stay',
  )
  const json = String(errors.read())
  t.notMatch(json, /[^\P{C}\n]/u)
  t.strictSame(JSON.parse(json), names)
  t.end()
})
