// Whether a branch keeps a contract: what attached contracts, their events and summaries of repositories share.
import { z } from 'zod'
import { maxListedBreaks } from '../limits.ts'
import { SnapshotId } from './names.ts'
import { Instant } from './values.ts'

/** What is asked of a branch, and since when it is broken. In answers, the texts need no check. */
export const contractFields = {
  name: z
    .string()
    .describe('Name of the contract')
    .meta({ examples: ['tile server'] }),
  branch: z
    .string()
    .describe('The branch that must keep it')
    .meta({ examples: ['main'] }),
}

export const breakingChanges = z.int().min(0).describe('Number of all breaking changes')

/** The same, with what a judgement has found. */
export const contractStateFields = {
  ...contractFields,
  state: z
    .enum(['kept', 'broken'])
    .nullable()
    .describe('Whether the last head that could be judged keeps the contract; null before there is one'),
  snapshot_id: SnapshotId.nullable().describe(
    'The last head that was judged; null before the first, and while Floe tries again',
  ),
  broken_since: Instant.nullable().describe('When it was found to be broken; null while it is kept'),
  breaks: z
    .array(z.string())
    .describe(`What breaks it, in words: the first ${maxListedBreaks.words} breaking changes. Empty while it is kept`)
    .meta({ examples: [['forecast: temperature is float64, must be float32']] }),
  breaking_changes: breakingChanges,
  unknown_reason: z
    .string()
    .nullable()
    .describe('Why the last head could not be judged: the state is that of an earlier one. Null if it could'),
}

/** A branch that breaks its contract, for examples. */
export const contractStateExample = {
  name: 'tile server',
  branch: 'main',
  state: 'broken',
  snapshot_id: 'VHQMPVTZR0SCMXSGH9SG',
  broken_since: '2026-11-21T12:00:01.000Z',
  breaks: ['forecast: temperature is float64, must be float32'],
  breaking_changes: 1,
  unknown_reason: null,
}
