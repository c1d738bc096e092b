import { removeReplica, renewReplica, transact } from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from './engines.ts'
import { rememberRepository } from './remember-repository.ts'

const test = await testOnEngines(t)

test('a heartbeat goes before thousands of statements and transactions that wait', async (t, { db }) => {
  let [begun, done] = [0, 0]
  const record = (name: string) =>
    transact(db, async (tx) => {
      begun++
      await rememberRepository(tx, 'acme', name, new Date())
    })
  const beat = (at: number) =>
    renewReplica(db.urgent, { id: 'a', version: '1.0.0', at }, { findDead: () => [], choose: () => new Set() })
  // To open the connection of the lane takes as long as many statements.
  await beat(0)
  const work = Array.from({ length: 3_000 }, async (_, n) => {
    await (n % 2 === 0 ? record(`r${n}`) : rememberRepository(db, 'acme', `r${n}`, new Date()))
    done++
  })
  const count = 3
  for (let at = 1; at <= count; at++) {
    const before = done
    const { replicas } = await beat(at)
    t.strictSame(replicas, ['a'])
    // Of 3,000. Without its lane, half of them would.
    t.ok(done - before < 150, `${done - before} statements went before`)
  }
  t.ok(begun < work.length / 2, 'work still waits')
  await removeReplica(db.urgent, 'a')
  await Promise.all(work)
  t.equal(done, work.length, 'and all of it is done afterwards')
})
