import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { defaultLimits } from '@floe/storage/icechunk'
import { t } from 'tap'
import { createMetrics } from '../../../server/observation/metrics.ts'
import { openReading } from '../../../server/main/open-reading.ts'
import { systemTiming } from '../../../server/timing.ts'
import { info, openCounted, signal } from '../reading/threads/open-pool.ts'
import { waitUntil } from '../wait-until.ts'

t.test('two threads start, also when more repositories are asked about', async (t) => {
  let started = 0
  const count = () => void started++
  subscribe('worker_threads', count)
  t.teardown(() => unsubscribe('worker_threads', count))
  const parts = { maxBytes: 64_000_000, readerLimits: defaultLimits, timing: systemTiming, metrics: createMetrics() }
  const { readers } = openReading(parts)
  t.teardown(() => readers.close())
  const answers: Promise<unknown>[] = []
  for (let asked = 1; asked <= 4; asked++) {
    const { repository, snapshotId } = await openCounted()
    answers.push(readers.ask({ org: `org${asked}`, repository }, snapshotId, info, signal))
    // A thread that starts is busy for long, so that the next question goes to another one.
    await waitUntil(() => readers.running >= Math.min(asked, 2))
  }
  await Promise.all(answers)
  t.equal(started, 2)
})
