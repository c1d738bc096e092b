import { z } from 'zod'

/** The answer of a healthy service. */
export const Health = z
  .object({ status: z.literal('ok').describe('Always `ok`; otherwise the answer is a problem') })
  .meta({ id: 'Health', description: 'The answer of a healthy service', examples: [{ status: 'ok' }] })
export type Health = z.infer<typeof Health>
