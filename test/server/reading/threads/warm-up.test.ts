import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { t } from 'tap'
import { warmUp } from '../../../../server/reading/threads/warm-up.ts'
import { warmUpSnapshot } from '../../../../server/reading/threads/warm-up-snapshot.ts'
import { fixtures } from '../../start-server.ts'

t.test('a thread that nobody asks warms up with a snapshot that official Icechunk wrote, then rests', async (t) => {
  const { id, object } = warmUpSnapshot
  t.strictSame(Buffer.from(object, 'base64'), await readFile(join(fixtures, 'weather', 'snapshots', id)))
  t.equal(await warmUp(() => false), 48)
})

t.test('a warm-up ends at the first task, after the answer that it has begun', async (t) => {
  t.equal(await warmUp(() => true), 0)
  let isAsked = false
  const warmedUp = warmUp(() => isAsked)
  setImmediate(() => (isAsked = true))
  t.ok((await warmedUp) <= 1)
})
