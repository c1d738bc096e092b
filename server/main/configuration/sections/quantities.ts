// Parses durations and sizes as people write them in the configuration.
import { z } from 'zod'

const durationUnits = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const sizeUnits = {
  B: 1,
  KB: 1_000,
  MB: 1_000_000,
  GB: 1_000_000_000,
  KiB: 1 << 10,
  MiB: 1 << 20,
  GiB: 1 << 30,
} as const

const durationMessage = 'must be a duration such as 500ms, 10s, 5m, 1h'
const sizeMessage = 'must be a size such as 512KB, 256MB, 1GiB'

/** A duration such as `500ms`, `10s`, `5m`; parsed to milliseconds. */
export const Duration = z
  .string(durationMessage)
  .regex(/^\d{1,9}(ms|s|m|h|d)$/, durationMessage)
  .transform((text) => scale(text, durationUnits))

/** A size such as `256MB` or `1GiB`; parsed to bytes. */
export const ByteSize = z
  .string(sizeMessage)
  .regex(/^\d{1,9}(B|KB|MB|GB|KiB|MiB|GiB)$/, sizeMessage)
  .transform((text) => scale(text, sizeUnits))

function scale(text: string, units: Readonly<Record<string, number>>): number {
  const { amount = '', unit = '' } = /^(?<amount>\d+)(?<unit>\w+)$/.exec(text)?.groups ?? {}
  return Number(amount) * (units[unit] ?? Number.NaN)
}
