import { t } from 'tap'
import { LogOutput } from '../../../server/observation/log-output.ts'

const refusal = (code: string) => Object.assign(new Error(code), { code })

/** An output whose sink takes so many bytes a call, or refuses them, and whose timers run when the test says so. */
function open() {
  const taken: Uint8Array[] = []
  const sink: { takes: number; refuses?: string | undefined } = { takes: Infinity }
  const timers: (() => void)[] = []
  const sleeps: number[] = []
  const writeNow = (bytes: Uint8Array): number => {
    if (sink.refuses !== undefined) throw refusal(sink.refuses)
    taken.push(bytes.slice(0, sink.takes))
    return Math.min(bytes.length, sink.takes)
  }
  const calls: (() => void)[] = []
  const write = (bytes: Uint8Array, done: (error: Error | null, written: number) => void) =>
    void calls.push(() => {
      if (sink.refuses !== undefined) done(refusal(sink.refuses), 0)
      else done(null, writeNow(bytes))
    })
  const output = new LogOutput({ write, writeNow }, (_ms, callback) => (timers.push(callback), () => {}))
  const runTimers = () => timers.splice(0).forEach((callback) => callback())
  /** Lets the sink answer all calls, also those that follow. */
  const answer = () => {
    for (let call = calls.shift(); call; call = calls.shift()) call()
  }
  const read = () => Buffer.concat(taken).toString()
  return { output, sink, calls, read, runTimers, answer, sleeps, end: () => output.end((ms) => void sleeps.push(ms)) }
}

t.test('lines are written together, after a moment or when there are many', async (t) => {
  const { output, read, calls, runTimers, answer } = open()
  output.write('one\n')
  output.write('two\n')
  t.equal(calls.length, 0)
  runTimers()
  t.equal(calls.length, 1)
  answer()
  t.equal(read(), 'one\ntwo\n')
  output.write(`${'x'.repeat(5_000)}\n`)
  t.equal(calls.length, 1)
})

t.test('a sink that takes a part gets the rest', async (t) => {
  const { output, sink, read, runTimers, answer } = open()
  sink.takes = 3
  output.write('grüße\n')
  runTimers()
  output.write('later\n')
  answer()
  runTimers()
  answer()
  t.equal(read(), 'grüße\nlater\n')
})

for (const refuses of ['EAGAIN', 'ENOSPC']) {
  t.test(`what a sink refuses with ${refuses} waits until it takes bytes again`, async (t) => {
    const { output, sink, read, calls, runTimers, answer } = open()
    sink.refuses = refuses
    output.write('one\n')
    runTimers()
    answer()
    for (let line = 0; line < 5_000; line++) output.write('two\n')
    t.equal(calls.length, 0, 'lines do not make it try again')
    sink.refuses = undefined
    runTimers()
    answer()
    t.equal(read(), `one\n${'two\n'.repeat(5_000)}`)
  })
}

t.test('lines beyond 4 MiB are dropped while nothing can be written', async (t) => {
  const { output, sink, read, runTimers, answer } = open()
  sink.refuses = 'EAGAIN'
  output.write(`${'x'.repeat(4_095)}\n`)
  answer()
  for (let line = 0; line < 2_000; line++) output.write(`${'x'.repeat(4_095)}\n`)
  sink.refuses = undefined
  runTimers()
  answer()
  t.equal(read().length, 4 * 1024 ** 2)
})

t.test('at the end, what waits is written', async (t) => {
  const { output, sink, read, end } = open()
  sink.takes = 3
  output.write('one\n')
  end()
  t.equal(read(), 'one\n')
})

t.test('at the end, a reader gets a second, and a sink that fails none', async (t) => {
  for (const [refuses, pauses] of [
    ['EAGAIN', 20],
    ['ENOSPC', 0],
    ['EPIPE', 0],
  ] as const) {
    const { output, sink, sleeps, end } = open()
    sink.refuses = refuses
    output.write('one\n')
    end()
    t.equal(sleeps.length, pauses, refuses)
  }
})
