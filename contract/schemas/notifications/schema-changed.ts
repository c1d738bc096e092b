// The notification of a head move that changed what readers of datasets see.
import { z } from 'zod'
import { compatibilityRules } from '../../compatibility-rules.ts'
import { maxNotifiedChanges } from '../../limits.ts'
import { eventDefinitions } from '../../lists.ts'
import { changeFields, ChangeVerdict } from '../metadata/compatibility.ts'
import { SnapshotId } from '../names.ts'
import { exampleRepository, moveFields } from './new-commit.ts'
import { Count } from '../values.ts'

const notifiedChange = {
  group: z.string().describe('Path of the dataset, without a leading slash; the root is `""`'),
  ...changeFields,
}

const countOf = (verdict: string) => Count.describe(`Number of changes with the verdict \`${verdict}\``)
const counts = {
  breaking: countOf('breaking'),
  unknown: countOf('unknown'),
  compatible: countOf('compatible'),
  not_compared: Count.describe(
    'Number of changed groups that were not compared because the documents of all are too large',
  ),
}

export const NotComparedReason = z
  .enum(['timeout', 'too_large', 'unreadable'])
  .describe(
    '`timeout`: the comparison took too long. `too_large`: what changed exceeds a limit. `unreadable`: a snapshot or ' +
      'transaction log could not be read; that of a head which a reset left behind may be deleted',
  )
  .meta({ id: 'NotComparedReason' })
export type NotComparedReason = z.infer<typeof NotComparedReason>

function detailsFields<Change extends z.ZodType, Counts extends z.ZodType>(change: Change, counts: Counts) {
  return {
    ...moveFields,
    previous_snapshot_id: SnapshotId.describe('The head that the service saw before this one'),
    verdict: ChangeVerdict.describe(
      'Whether those who read the datasets at `previous_snapshot_id` can read those at `snapshot_id`: the worst ' +
        'verdict of the changes. `unknown`: the metadata does not show it, or the datasets were not compared',
    ),
    changes: z
      .array(change)
      .max(maxNotifiedChanges)
      .describe(
        'What readers see differently: breaking changes first, then unknown, then compatible ones. The list can be ' +
          'shorter, so that the notification stays small; `/compatibility/{repo}/{from}/{to}` answers the whole list',
      ),
    counts: counts.describe('Numbers before the list was cut; null when the datasets were not compared'),
    not_compared_reason: NotComparedReason.nullable().describe(
      'Why the datasets were not compared, so that the verdict is `unknown`; null when they were',
    ),
  }
}

const NotifiedChange = z
  .looseObject(notifiedChange)
  .meta({ id: 'NotifiedChange', description: 'One difference that readers of a dataset see' })

const details = detailsFields(
  NotifiedChange,
  z.looseObject(counts).meta({ id: 'NotifiedCounts', description: 'Numbers of changes by verdict' }).nullable(),
)

const SchemaChangedDetails = z
  .looseObject(details)
  .meta({ id: 'SchemaChangedDetails', description: 'The head move, and what it means for those who read the datasets' })
export type SchemaChangedDetails = z.infer<z.ZodObject<typeof sentDetails>>

const Event = z.literal('SchemaChanged').describe(eventDefinitions.SchemaChanged.meaning)

const exampleChange = {
  group: '',
  category: compatibilityRules['type-changed'].category,
  verdict: 'breaking',
  variable: 't2m',
  dimension: null,
  attribute: null,
}

export const SchemaChanged = z.looseObject({ event: Event, details: SchemaChangedDetails }).meta({
  id: 'SchemaChanged',
  description: 'The notification of a head move that changed what readers of datasets see',
  examples: [
    {
      event: 'SchemaChanged',
      details: {
        ...exampleRepository,
        branch: 'main',
        snapshot_id: 'P874YS3J196959RDHX7G',
        parent_snapshot_id: '1CECHNKREP0F1RSTCMT0',
        previous_snapshot_id: '1CECHNKREP0F1RSTCMT0',
        verdict: 'breaking',
        changes: [
          { ...exampleChange, kind: 'type-changed', before: 'float32', after: 'float64', widened: true },
          { ...exampleChange, kind: 'variable-removed', variable: 'lead_time', before: 'int64', after: null },
        ],
        counts: { breaking: 2, unknown: 0, compatible: 0, not_compared: 0 },
        not_compared_reason: null,
      },
    },
  ],
})

const sentDetails = detailsFields(z.strictObject(notifiedChange), z.strictObject(counts).nullable())

/** The same as the service sends it. */
export const SentSchemaChanged = z.strictObject({ event: Event, details: z.strictObject(sentDetails) })
