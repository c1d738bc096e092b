import { z } from 'zod'

/** A point in time. */
export const Instant = z.iso
  .datetime({ precision: 3 })
  .describe('UTC, milliseconds')
  .meta({ examples: ['2026-11-21T12:00:00.123Z'] })
