// How old the last commit of a branch may become.
import { z } from 'zod'

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const minMs = unitMs.m
/** Ten years; they have at least 3,652 days. */
const maxMs = 3_652 * unitMs.d

const form = /^(?<count>[1-9]\d{0,8})(?<unit>[smhd])$/

/** Parses a {@link MaxAge} to milliseconds; NaN for another text. */
export function parseMaxAge(text: string): number {
  const { count, unit = '' } = form.exec(text)?.groups ?? {}
  // The form allows these units only.
  return Number(count) * unitMs[unit as keyof typeof unitMs]
}

export const MaxAge = z
  .string()
  .regex(/^[1-9]\d{0,8}[smhd]$/, 'must be a whole number and `s`, `m`, `h` or `d`, such as `6h`')
  .refine((text) => !(parseMaxAge(text) < minMs), 'must be at least one minute')
  .refine((text) => !(parseMaxAge(text) > maxMs), 'must be at most ten years')
  .describe(
    'How old the last commit may become, from a minute to ten years: a whole number of seconds (`s`), minutes (`m`), ' +
      'hours (`h`) or days (`d`)',
  )
  .meta({ examples: ['6h'] })
