import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { BackgroundLoop } from '@floe/storage/waiting'

/** A loop whose rests end when the test says so. Each pass waits until the test ends it. */
function startLoop(t: Test) {
  const rests: { readonly ms: number; readonly end: () => void }[] = []
  const passes: PromiseWithResolvers<number | undefined>[] = []
  const failures: (readonly [string, number])[] = []
  const loop = new BackgroundLoop({
    restMs: 500,
    after: (ms, end) => {
      const rest = { ms, end }
      rests.push(rest)
      return () => rests.splice(rests.indexOf(rest), 1)
    },
    work: (signal) => {
      const pass = Promise.withResolvers<number | undefined>()
      passes.push(pass)
      signal.addEventListener('abort', () => pass.reject(new Error('aborted')))
      return pass.promise
    },
    onError: (error, count) => failures.push([String(error), count]),
  })
  const first = loop.start()
  t.teardown(() => loop.stop())
  /** Lets everything happen that waits for nothing else. */
  const settle = async () => {
    for (let turn = 0; turn < 5; turn++) await nextTurn()
  }
  return { loop, first, rests, passes, failures, settle }
}

t.test('a loop rests between two passes as long as a pass says, or else the usual time', async (t) => {
  const { first, rests, passes, settle } = startLoop(t)
  t.equal(passes.length, 1, 'the first pass begins at once')
  passes[0]?.resolve(undefined)
  await first
  await settle()
  t.strictSame(
    rests.map(({ ms }) => ms),
    [500],
  )
  rests[0]?.end()
  await settle()
  t.equal(passes.length, 2)
  passes[1]?.resolve(30)
  await settle()
  t.strictSame(
    rests.map(({ ms }) => ms),
    [30],
  )
})

t.test('a loop that is woken runs again at once, or after the current pass', async (t) => {
  const { loop, rests, passes, settle } = startLoop(t)
  loop.wake()
  await settle()
  t.equal(passes.length, 1, 'never two passes at once')
  passes[0]?.resolve(Infinity)
  await settle()
  t.equal(passes.length, 2)
  passes[1]?.resolve(Infinity)
  await settle()
  t.strictSame(rests, [], 'without a time, only a call ends the rest')
  loop.wake()
  loop.wake()
  await settle()
  t.equal(passes.length, 3, 'calls in the same iteration of the event loop share a pass')
})

t.test('runAgain waits for a pass that begins after the call', async (t) => {
  const { loop, passes, settle } = startLoop(t)
  let hasRun = false
  const run = loop.runAgain().then(() => (hasRun = true))
  passes[0]?.resolve(undefined)
  await settle()
  t.equal(passes.length, 2)
  t.notOk(hasRun)
  passes[1]?.resolve(undefined)
  await run
})

t.test('a failed pass is reported with the number of failures in a row', async (t) => {
  const { rests, passes, failures, settle } = startLoop(t)
  passes[0]?.reject(new Error('one'))
  await settle()
  rests[0]?.end()
  await settle()
  passes[1]?.reject(new Error('two'))
  await settle()
  t.strictSame(failures, [
    ['Error: one', 1],
    ['Error: two', 2],
  ])
  rests[0]?.end()
  await settle()
  passes[2]?.resolve(undefined)
  await settle()
  rests[0]?.end()
  await settle()
  passes[3]?.reject(new Error('three'))
  await settle()
  t.strictSame(failures.at(-1), ['Error: three', 1])
})

t.test('a stop aborts the current pass, reports no failure, and waits for its end', async (t) => {
  const { loop, first, rests, passes, failures } = startLoop(t)
  const stopped = loop.stop()
  await first
  await stopped
  await loop.runAgain()
  t.equal(passes.length, 1)
  t.strictSame([failures, rests], [[], []])
})

t.test('a stop ends a rest', async (t) => {
  const { loop, passes, rests, settle } = startLoop(t)
  passes[0]?.resolve(undefined)
  await settle()
  t.equal(rests.length, 1)
  await loop.stop()
  t.equal(rests.length, 0)
  t.equal(passes.length, 1)
})
