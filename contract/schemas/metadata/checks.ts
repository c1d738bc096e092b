// What pipelines say of a snapshot.
import { z } from 'zod'
import { checkLimits, maxSnapshotChecks } from '../../limits.ts'
import { checkStates } from '../../lists.ts'
import { Instant, isSafeLink, isWellFormed, lineOf, listOf, safeLinkRule } from '../values.ts'

export const CheckName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'must be 1 to 63 letters, digits, ".", "_" or "-"')
  .describe('Name of the check')
  .meta({ examples: ['quality'] })

export const CheckState = z
  .enum(checkStates)
  .describe(
    'What the check found. `pending`: it still runs. `error`: the check itself failed, so that nothing is known of ' +
      'the snapshot',
  )

const Unit = lineOf(checkLimits.unit)
  .describe('Its unit')
  .meta({ examples: ['%'] })

const figureMembers = { value: z.number().describe('The number'), unit: Unit.optional() }

/** In answers and events, which may get further members. */
export const CheckFigure = z
  .object(figureMembers)
  .meta({ id: 'CheckFigure', description: 'A number that a check has found', examples: [{ value: 98.2, unit: '%' }] })

const figuresMeaning = `Numbers that the check has found, by their names; at most ${checkLimits.figures}`

const CheckFigures = z.record(z.string(), CheckFigure).describe(figuresMeaning)

const FigureName = lineOf(checkLimits.figureName).refine(...isWellFormed)

const PostedFigures = z
  .record(z.string(), z.strictObject({ ...figureMembers, unit: Unit.refine(...isWellFormed).optional() }))
  .superRefine((figures, context) => {
    const names = Object.keys(figures)
    if (names.length > checkLimits.figures)
      context.addIssue({ code: 'custom', message: `must have at most ${checkLimits.figures} numbers` })
    for (const name of names.slice(0, checkLimits.figures)) {
      const wrong = FigureName.safeParse(name).error?.issues[0]
      if (wrong !== undefined) context.addIssue({ code: 'custom', message: `has a name that ${wrong.message}` })
    }
  })
  .describe(figuresMeaning)

// Answers and events have what was checked when it was posted: clients check only what JSON Schema can say.

const CheckText = lineOf(checkLimits.text)
  .describe('What the check says, in one line for people')
  .meta({ examples: ['step 12 is NaN'] })

const CheckLink = lineOf(checkLimits.link)
  .describe('Where people read more, an https URL')
  .meta({ examples: ['https://ci.example.org/runs/17'] })

const result = {
  state: CheckState,
  text: CheckText.refine(...isWellFormed).optional(),
  link: CheckLink.refine(isSafeLink, safeLinkRule).optional(),
  figures: PostedFigures.optional(),
}

const resultExample = {
  state: 'failed' as const,
  text: 'step 12 is NaN',
  link: 'https://ci.example.org/runs/17',
  figures: { 'NaN share': { value: 98.2, unit: '%' } },
}

export const CheckResult = z
  .strictObject(result)
  .meta({ id: 'CheckResult', description: 'What a check says of a snapshot', examples: [resultExample] })
export type CheckResult = z.infer<typeof CheckResult>

const NamedResult = z
  .strictObject({ name: CheckName, ...result })
  .meta({
    id: 'NamedCheckResult',
    description: 'What a check of a report says of a snapshot',
    examples: [{ name: 'quality', ...resultExample }],
  })

export const CheckReport = z
  .strictObject({
    checks: z
      .array(NamedResult)
      .min(1, 'must not be empty')
      .max(maxSnapshotChecks, `must have at most ${maxSnapshotChecks} checks`)
      .refine((checks) => new Set(checks.map(({ name }) => name)).size === checks.length, 'must not name a check twice')
      .describe('The checks, each with another name'),
  })
  .meta({
    id: 'CheckReport',
    description: 'What several checks say of a snapshot',
    examples: [{ checks: [{ name: 'quality', ...resultExample }] }],
  })

/** What a check says, in answers and events. */
export const checkFacts = {
  text: CheckText.nullable().describe('What the check says, in one line for people; null when it says nothing'),
  link: CheckLink.nullable().describe('Where people read more, an https URL; null when there is none'),
  figures: CheckFigures,
}

export const Check = z
  .object({ name: CheckName, state: CheckState, ...checkFacts, posted_at: Instant.describe('When it was posted') })
  .meta({
    id: 'Check',
    description: 'What a check says of a snapshot',
    examples: [{ name: 'quality', ...resultExample, posted_at: '2026-11-21T12:04:00.123Z' }],
  })
export type Check = z.infer<typeof Check>

export const CheckList = listOf(
  Check,
  { id: 'CheckList', description: 'All checks of a snapshot' },
  'Newest first; those of the same time by name',
)
export type CheckList = z.infer<typeof CheckList>
