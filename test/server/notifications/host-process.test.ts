import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { t } from 'tap'
import { describeThisProcess, hasEnded, nameReplica } from '../../../server/notifications/host-process.ts'
import { waitUntil } from '../wait-until.ts'

const self = describeThisProcess()

t.test('this process has not ended, and one with the same id that began earlier has', async (t) => {
  t.notOk(hasEnded(nameReplica(self, 'a'), self, true))
  t.ok(hasEnded(nameReplica({ ...self, startedAt: 'earlier' }, 'a'), self, false))
})

const skip = process.platform === 'linux' ? false : 'only Linux tells a zombie from a process that runs'

// Proves: a process that was killed counts as ended before its parent has noticed
t.test('a zombie has ended', { skip }, async (t) => {
  // The shell starts a process, becomes one that never waits for its children, and so leaves it a zombie.
  const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(() => parent.kill('SIGKILL'))
  const [line] = await once(parent.stdout, 'data')
  const pid = Number(String(line))
  const startedAt = self.findStart(pid) ?? ''
  const replica = nameReplica({ ...self, pid, startedAt }, 'a')
  t.notOk(hasEnded(replica, self, false))
  process.kill(pid, 'SIGKILL')
  await waitUntil(() => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '))
  t.ok(hasEnded(replica, self, false))
})
