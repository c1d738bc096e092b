import { setImmediate as nextTurn } from 'node:timers/promises'
import { t } from 'tap'
import { FailedLogins } from '../../../../server/http/access/failed-logins.ts'
import { ManualTiming } from '../../notifications/manual-timing.ts'

const writeAddress = (index: number) => `198.51.${index >> 8}.${index & 255}`

/** How long a failure waits for its answer, in milliseconds. */
async function measureDelay(timing: ManualTiming, failure: Promise<void>): Promise<number> {
  const start = timing.now()
  let delay = Number.NaN
  void failure.then(() => (delay = timing.now() - start))
  await nextTurn()
  await timing.pass(1_100, 10)
  return delay
}

async function fail(logins: FailedLogins, times: number, org: string, from: (index: number) => string): Promise<void> {
  for (let index = 0; index < times; index++) await logins.slowDown(org, from(index))
}

t.test('after 20 failures from an address, each further one is answered later, up to a second', async (t) => {
  const timing = new ManualTiming()
  const logins = new FailedLogins(timing)
  await fail(logins, 20, 'acme', () => writeAddress(1))
  t.equal(await measureDelay(timing, logins.slowDown('acme', writeAddress(1))), 50)
  t.equal(await measureDelay(timing, logins.slowDown('other', writeAddress(1))), 100, 'whatever the organisation')
  for (let more = 0; more < 17; more++) await measureDelay(timing, logins.slowDown('acme', writeAddress(1)))
  t.equal(await measureDelay(timing, logins.slowDown('acme', writeAddress(1))), 1_000)
  t.equal(await measureDelay(timing, logins.slowDown('acme', writeAddress(1))), 1_000)
  t.equal(await measureDelay(timing, logins.slowDown('acme', writeAddress(2))), 0, 'others are not')
})

t.test('after 200 failures for an organisation, those from new addresses are slowed too', async (t) => {
  const timing = new ManualTiming()
  const logins = new FailedLogins(timing)
  await fail(logins, 200, 'acme', writeAddress)
  t.equal(await measureDelay(timing, logins.slowDown('acme', '203.0.113.1')), 50)
  t.equal(await measureDelay(timing, logins.slowDown('other', '203.0.113.1')), 0)
})

t.test('addresses of one IPv6 network count as one', async (t) => {
  const timing = new ManualTiming()
  const logins = new FailedLogins(timing)
  await fail(logins, 20, 'acme', (index) => `2001:db8::${index.toString(16)}`)
  t.equal(await measureDelay(timing, logins.slowDown('acme', '2001:db8::ffff')), 50)
  t.equal(await measureDelay(timing, logins.slowDown('acme', '2001:db8:0:1::1')), 0)
})

t.test('a minute after the first failure, counting begins anew', async (t) => {
  const timing = new ManualTiming()
  const logins = new FailedLogins(timing)
  await fail(logins, 10, 'acme', () => writeAddress(1))
  await timing.pass(30_000, 30_000)
  await fail(logins, 10, 'acme', () => writeAddress(1))
  await timing.pass(30_001, 30_001)
  await fail(logins, 19, 'acme', () => writeAddress(1))
  t.equal(await measureDelay(timing, logins.slowDown('acme', writeAddress(1))), 0)
})

t.test('no more than 1,000 answers are held back at once', async (t) => {
  const timing = new ManualTiming()
  const logins = new FailedLogins(timing)
  await fail(logins, 20, 'acme', () => writeAddress(1))
  const held = Array.from({ length: 1_000 }, () => logins.slowDown('acme', writeAddress(1)))
  await t.rejects(logins.slowDown('acme', writeAddress(1)), {
    code: 'too-many-requests',
    headers: { 'retry-after': '1' },
  })
  await timing.pass(1_000)
  await Promise.all(held)
  t.equal(await measureDelay(timing, logins.slowDown('acme', writeAddress(1))), 1_000, 'then there is room again')
})
