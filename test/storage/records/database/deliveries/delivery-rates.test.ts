import { readDeliveryRates } from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { at, claim, finish, moveHead, repositoryWith, webhook } from '../recorded.ts'

const test = await testOnEngines(t)

test('the deliveries since a time are counted, of a repository and of an organisation', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  const quiet = await repositoryWith(db, [webhook('two')], 'quiet')
  const ofNothing = { since: at(0), accepted: 0, failed: 0, medianMs: null }
  t.strictSame(await readDeliveryRates(db, { org: 'acme', repoId: null }, at(0)), ofNothing)
  await moveHead(db, repoId, ['old'], at(1))
  await finish(db, await claim(db, at(2)), { kind: 'delivered' }, at(3))
  await moveHead(db, repoId, ['A', 'B', 'C'], at(10))
  for (const seconds of [11, 13]) {
    await finish(db, await claim(db, at(seconds)), { kind: 'delivered' }, at(seconds))
  }
  await finish(db, await claim(db, at(14)), { kind: 'retry', dueAt: at(60) }, at(14))
  await moveHead(db, quiet.repoId, ['D'], at(15))
  t.strictSame(await readDeliveryRates(db, { org: 'acme', repoId }, at(10)), {
    since: at(10),
    accepted: 2,
    failed: 1,
    medianMs: 2,
  })
  t.match(await readDeliveryRates(db, { org: 'acme', repoId: null }, at(5)), { accepted: 2, failed: 1 })
  t.match(await readDeliveryRates(db, { org: 'acme', repoId: null }, at(0)), { accepted: 3, failed: 1 })
  t.match(await readDeliveryRates(db, { org: 'acme', repoId: quiet.repoId }, at(0)), ofNothing, 'none was attempted')
})

test('of very many deliveries, the newest are counted', async (t, { db }) => {
  const webhooks = Array.from({ length: 50 }, (_, index) => webhook(String(index)))
  const { repoId } = await repositoryWith(db, webhooks)
  for (let second = 1; second <= 21; second++) await moveHead(db, repoId, [`S${second}`], at(second))
  for (const owner of [repoId, null]) {
    const { since } = await readDeliveryRates(db, { org: 'acme', repoId: owner }, at(0))
    t.strictSame(since, at(2), '1,000 deliveries of the last 20 events')
  }
})
