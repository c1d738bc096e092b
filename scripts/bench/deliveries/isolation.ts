// How much hanging receivers delay the others: the time from the recording of a head move to its arrival at 40 of 50 receivers. The other 10
// answer at once in one half of the rounds, and hang until the time limit in the other.
// Usage: npm run bench -- isolation
// The halves alternate, each with a new database. All receivers are in this process, each at its own port.
import { setTimeout as pause } from 'node:timers/promises'
import { openBenchDatabase } from './bench-database.ts'
import {
  declareWebhooks,
  findQuantile,
  recordEvent,
  startDelivering,
  startLoopbackReceiver,
} from './loopback-deliveries.ts'

const rounds = 8
const measuredReceivers = 40
const otherReceivers = 10
/** Eight seconds: longer than the limit of an exchange, so that the hanging receivers are given up and retried meanwhile. */
const events = 160
const pauseMs = 50

/** Times of the events and, in the same order, of their arrivals at each receiver. */
class Arrivals {
  readonly recordedAt: number[] = []
  readonly delaysMs: number[] = []
  readonly all = Promise.withResolvers<void>()

  /** Makes a function to call at each arrival of an event at one receiver. Events must arrive in order. */
  count(): () => void {
    let next = 0
    return () => {
      this.delaysMs.push(performance.now() - (this.recordedAt[next++] ?? Number.NaN))
      if (this.delaysMs.length === events * measuredReceivers) this.all.resolve()
    }
  }
}

/** @returns the delays in milliseconds: median and 95th percentile */
async function measure(othersHang: boolean): Promise<{ median: number; p95: number }> {
  const { db, drop } = await openBenchDatabase(undefined)
  try {
    const arrivals = new Arrivals()
    const urls: string[] = []
    for (let index = 0; index < measuredReceivers + otherReceivers; index++) {
      const arrived = index < measuredReceivers ? arrivals.count() : undefined
      urls.push(
        await startLoopbackReceiver((request, response) => {
          arrived?.()
          request.resume()
          if (arrived !== undefined || !othersHang) response.end()
        }),
      )
    }
    const repoId = await declareWebhooks(db, urls)
    const delivering = startDelivering(db, () => {}, arrivals.all.reject)
    for (let event = 0; event < events; event++) {
      arrivals.recordedAt.push(performance.now())
      await recordEvent(db, repoId)
      delivering.wake()
      await pause(pauseMs)
    }
    await arrivals.all.promise
    await delivering.stop()
    return { median: findQuantile(arrivals.delaysMs, 0.5), p95: findQuantile(arrivals.delaysMs, 0.95) }
  } finally {
    await drop()
  }
}

const changes: number[] = []
for (let round = 0; round <= rounds; round++) {
  // Each comes first in every second round, because the machine has better and worse times.
  const first = await measure(round % 2 === 0)
  const second = await measure(round % 2 === 1)
  const [hanging, answering] = round % 2 === 0 ? [first, second] : [second, first]
  // The first round is a warm-up.
  if (round === 0) continue
  changes.push(100 * (hanging.p95 / answering.p95 - 1))
  const [a, b] = [answering, hanging].map(({ median, p95 }) => `median ${median.toFixed(1)}, p95 ${p95.toFixed(1)} ms`)
  console.log(`while ${otherReceivers} answer: ${a}; while they hang: ${b}`)
}
const [least, most] = [Math.min(...changes), Math.max(...changes)].map((change) => change.toFixed(0))
console.log(
  `p95 changes by ${findQuantile(changes, 0.5).toFixed(0)} % (median of ${rounds} rounds, ${least} to ${most} %)`,
)
