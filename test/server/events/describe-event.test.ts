import { createNotificationSchema, EventName } from '@floe/contract'
import { t } from 'tap'
import { z } from 'zod'
import { describeEvent } from '../../../server/events/describe-event.ts'
import { notification } from '../../contract/notifications.ts'

const Examples = z.array(z.object({ event: EventName, details: z.looseObject({}) }))

t.test('every event has the payload of the contract, and a line', async (t) => {
  const examples = Examples.parse(createNotificationSchema()['examples'])
  const lines = examples.map(({ event, details }) => {
    const { payload, line } = describeEvent(event, details, 'WORDS')
    t.strictSame(JSON.parse(payload), { event, details })
    return line
  })
  // Expectations have an example of each kind.
  t.strictSame(
    [...new Set(lines)],
    [
      'acme/weather branch main is now at P874YS3J196959RDHX7G: Add the 12 UTC run',
      'acme/weather main: WORDS (breaking)',
      'acme/weather branch experiment was created at P874YS3J196959RDHX7G',
      'acme/weather branch experiment was deleted at P874YS3J196959RDHX7G',
      'acme/weather tag v1.0 was created at P874YS3J196959RDHX7G',
      'acme/weather tag v1.0 was deleted at P874YS3J196959RDHX7G',
      'acme/weather branch main (forecast/**) WORDS',
      'acme/weather branch main WORDS',
      'acme/weather main: check quality failed: step 12 is NaN',
      'webhook "tile server" of acme/weather was disabled: it answered 410',
      'webhook "tile server" of acme/weather has been failing since 2026-11-21T12:00:01.456Z',
      'acme/weather has been unreadable since 2026-11-21T12:00:00.000Z: store-failed',
      'acme/weather can be read again; it was unreadable since 2026-11-21T12:00:00.000Z',
    ],
  )
})

t.test('members that are not in the contract are refused', async (t) => {
  t.throws(() => describeEvent('NewCommit', { ...notification.details, more: 1 }), /more/)
})
