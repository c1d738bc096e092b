// How often reader threads have the snapshots that they are asked about.
import { t } from 'tap'
import { createMetrics } from '../../../../server/http/observation/metrics.ts'
import { readMetrics, readValue } from '../../main/monitoring/read-metrics.ts'
import { info, openCounted, openPool, signal } from './open-pool.ts'

const datasets = { kind: 'datasets', below: '' } as const

t.test('each question is counted once, as a hit if the thread has the snapshots', async (t) => {
  const metrics = createMetrics()
  const pool = openPool(t, 2, { metrics })
  const readUse = async () => {
    const readings = readMetrics(await metrics.registry.metrics())
    const read = (name: string) => readValue(readings, `floe_cache_${name}_total`, { cache: 'snapshots' })
    return { hits: read('hits'), misses: read('misses') }
  }
  const { repository, snapshotId } = await openCounted()
  await pool.ask(repository, snapshotId, info, signal)
  await pool.ask(repository, snapshotId, datasets, signal)
  await t.rejects(pool.ask(repository, snapshotId, { kind: 'info', group: 'nowhere' }, signal))
  t.strictSame(await readUse(), { hits: 2, misses: 1 })
  const { snapshotId: from } = await repository.resolve('v1.0', signal)
  await pool.ask(repository, snapshotId, { kind: 'diff', from }, signal)
  t.strictSame(await readUse(), { hits: 2, misses: 2 }, 'of two snapshots, one was missing')
})
