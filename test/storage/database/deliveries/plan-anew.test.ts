import { nextDueAt, planAnew } from '@floe/storage/database'
import { t } from 'tap'
import { reachableEngines } from '../engines.ts'
import { at, claim, finish, moveHead, repositoryWith, summary, webhook } from '../recorded.ts'

const leaseMs = 10_000

for (const engine of await reachableEngines(t)) {
  t.test(`${engine.name}: when the clock was set back, a retry waits as long as planned`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [webhook('one')])
    await moveHead(db, repoId, ['A'], at(100_000))
    await finish(db, await claim(db, at(100_000)), { kind: 'retry', dueAt: at(105_000) }, at(100_000))
    await planAnew(db, { jumpMs: -90_000, leaseMs }, at(10_000))
    t.strictSame(await nextDueAt(db), at(15_000))
  })

  t.test(
    `${engine.name}: leases neither end because the clock was set forward, nor last because it was set back`,
    async (t) => {
      const { db } = await engine.fresh(t)
      const { repoId } = await repositoryWith(db, [webhook('one')])
      await moveHead(db, repoId, ['A'], at(100_000))
      t.equal((await claim(db, at(100_000), { leaseMs })).length, 1)
      await planAnew(db, { jumpMs: 100_000, leaseMs }, at(200_000))
      t.strictSame(await nextDueAt(db), at(210_000))
      await planAnew(db, { jumpMs: 0, leaseMs }, at(50_000))
      t.strictSame(await nextDueAt(db), at(60_000))
      t.strictSame(summary(await claim(db, at(60_000))), ['one A'])
    },
  )
}
