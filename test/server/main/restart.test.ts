import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase, partitionCount } from '@floe/storage/database'
import { t } from 'tap'
import { serveConfig, writeConfig } from './commands/floe-process.ts'

t.test('as soon as a process listens, it watches what a killed process watched', async (t) => {
  const cwd = t.testdir()
  await mkdir(join(cwd, 'repositories'))
  await writeConfig(cwd)
  const { child } = await serveConfig(t, cwd)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { child: second } = await serveConfig(t, cwd)
  const db = await openDatabase(`sqlite:${join(cwd, 'floe.db')}`)
  t.teardown(() => db.destroy())
  const partitions = await db.selectFrom('poll_partitions').select('replica_id').execute()
  t.equal(partitions.length, partitionCount)
  t.ok(partitions.every(({ replica_id }) => replica_id.includes(` ${second.pid} `)))
  t.equal((await db.selectFrom('replicas').selectAll().execute()).length, 1)
})
