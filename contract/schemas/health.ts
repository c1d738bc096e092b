import { z } from 'zod'

/** The answer of a healthy service. */
export const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health', examples: [{ status: 'ok' }] })
