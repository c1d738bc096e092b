import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { defaultLimits } from '@floe/storage/icechunk'
import { t } from 'tap'
import { createMetrics } from '../../../server/observation/metrics.ts'
import { openReading } from '../../../server/main/open-reading.ts'
import { systemTiming } from '../../../server/timing.ts'
import { info, openCounted, signal } from '../reading/threads/open-pool.ts'

t.test('two threads start, also when more repositories are asked about', async (t) => {
  let started = 0
  const count = () => void started++
  subscribe('worker_threads', count)
  t.teardown(() => unsubscribe('worker_threads', count))
  // No time limit ever ends, because a busy machine may need more to start a thread.
  const timing = { ...systemTiming, after: () => () => undefined, elapsed: () => 0 }
  const parts = { maxBytes: 64_000_000, readerLimits: defaultLimits, timing, metrics: createMetrics() }
  const { readers } = openReading(parts)
  t.teardown(() => readers.close())
  // Asked at once, so that no thread is idle again before the last question.
  const opened = await Promise.all(Array.from({ length: 4 }, () => openCounted()))
  await Promise.all(
    opened.map(({ repository, snapshotId }, index) =>
      readers.ask({ org: `org${index}`, repository }, snapshotId, info, signal),
    ),
  )
  t.equal(started, 2)
})
