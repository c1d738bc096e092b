// When a chat gets its messages: at once, or gathered in one message, a digest.
import { z } from 'zod'
import { digestPeriods } from '../../../lists.ts'

const Time = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as "07:30"')
  .describe('Hours and minutes in UTC')
  .meta({ examples: ['07:30'] })

const critical = 'except for expectations whose severity is `critical`, which are sent at once'

export const QuietHours = z
  .strictObject({ from: Time, to: Time })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'must be another time than `from`' })
  .describe(
    'Hours of each day, in UTC, perhaps over midnight. What happens in them is sent at their end as one message, ' +
      `${critical}. null, the default, for none`,
  )
  .meta({ examples: [{ from: '20:00', to: '07:00' }] })

export const DigestSchedule = z
  .strictObject({ at: Time, every: z.enum(digestPeriods).describe('`day`, or `week`: on Mondays') })
  .describe(
    `When the chat gets one message with all that happened since the last one, ${critical}. Quiet hours then change ` +
      'nothing. null, the default, for a message at once',
  )
  .meta({ examples: [{ at: '07:30', every: 'day' }] })
