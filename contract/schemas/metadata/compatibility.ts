import { z } from 'zod'
import {
  changeCategories,
  changeKinds,
  compatibilityRules,
  findRule,
  stateVerdicts,
} from '../../compatibility-rules.ts'
import { changeVerdicts } from '../../lists.ts'
import { SnapshotId } from '../names.ts'
import { Count } from '../values.ts'

/** The rules as a table in Markdown. */
export function writeRules(): string {
  const rows = changeKinds.map((kind) => {
    const rule = findRule(kind)
    const verdicts = changeVerdicts.flatMap((verdict) => {
      const text = rule[verdict]
      return text === undefined ? [] : [`**${verdict}**: ${text}`]
    })
    return `| \`${kind}\` | ${rule.category} | ${verdicts.join('; ')} |`
  })
  return ['| kind | category | verdict |', '| --- | --- | --- |', ...rows].join('\n')
}

const ChangeKind = z
  .enum(changeKinds)
  .describe('What changed. The table of the rules has the verdicts of each kind')
  .meta({ id: 'ChangeKind' })

export const ChangeVerdict = z
  .enum(changeVerdicts)
  .describe('What the change means for those who read the earlier state')
  .meta({ id: 'ChangeVerdict' })

const StateVerdict = z
  .enum(stateVerdicts)
  .describe(
    'Whether those who read the earlier state can read the later one: the worst verdict of the changes. `identical`: ' +
      'readers see no difference. `unknown`: the metadata does not show it; the changes give the reasons.',
  )
  .meta({ id: 'StateVerdict' })

const name = (what: string) => z.string().nullable().describe(`The ${what} that the change is about; otherwise null`)

/** The members that describe a change, in answers and in notifications. */
export const changeFields = {
  kind: ChangeKind,
  category: z
    .enum(changeCategories)
    .describe('What the change is about. `cost`: readers get the same values, slower or faster'),
  verdict: ChangeVerdict,
  variable: name('variable'),
  dimension: name('dimension').describe('`"null"` is the dimension without a name'),
  attribute: name('attribute'),
  before: z.unknown().describe('The value in the earlier state; null where there is none'),
  after: z.unknown().describe('The value in the later state; null where there is none'),
  widened: z
    .literal(true)
    .optional()
    .describe('Present if the new type holds every value of the old one exactly, as `float64` those of `float32`'),
  moved_from: z
    .string()
    .optional()
    .describe('The earlier path of an added dataset or variable that was moved. Renames are not guessed'),
  reason: z.string().optional().describe('Why xarray cannot open the dataset, or why the verdict is `unknown`'),
}

export const DatasetChange = z
  .object(changeFields)
  .meta({ id: 'DatasetChange', description: 'One difference that readers of a dataset see' })
export type DatasetChange = z.infer<typeof DatasetChange>

/** A change that breaks a contract. */
export const exampleTypeChange: DatasetChange = {
  kind: 'type-changed',
  category: compatibilityRules['type-changed'].category,
  verdict: 'breaking',
  variable: 'temperature',
  dimension: null,
  attribute: null,
  before: 'float32',
  after: 'float64',
  widened: true,
}

const Size = z
  .number()
  .min(0)
  .refine(Number.isInteger, 'must be a whole number')
  .meta({ type: 'integer', description: 'Number of elements; may exceed 2^53' })

const DatasetNote = z
  .object({
    kind: z
      .enum(['tree-misaligned'])
      .describe(
        '`tree-misaligned`: the size of a dimension no longer equals that in a group above, so that ' +
          '`xarray.open_datatree` refuses both. Each opens alone.',
      ),
    dimension: z.string().describe('The dimension'),
    size: Size,
    parent: z.string().describe('Path of the group above; the root is `""`'),
    parent_size: Size,
  })
  .meta({
    id: 'DatasetNote',
    description: 'What is worth knowing besides the changes. It does not affect the verdict.',
  })
export type DatasetNote = z.infer<typeof DatasetNote>

const ComparedDataset = z
  .object({
    group: z.string().describe('Path without a leading slash; the root is `""`'),
    verdict: StateVerdict,
    changes: z.array(DatasetChange).describe('Breaking changes first, then unknown, then compatible ones'),
    notes: z.array(DatasetNote).describe('What is worth knowing besides, and does not affect the verdict'),
  })
  .meta({ id: 'ComparedDataset', description: 'A dataset, or a group without arrays, that readers see differently' })

const VerdictCounts = z
  .object({
    breaking: Count.describe('With the verdict `breaking`'),
    unknown: Count.describe('With the verdict `unknown`'),
    compatible: Count.describe('With the verdict `compatible`'),
  })
  .meta({ id: 'VerdictCounts', description: 'Numbers by verdict' })

/** What both comparisons answer. */
const comparison = {
  to_snapshot_id: SnapshotId,
  verdict: StateVerdict,
  datasets: z
    .array(ComparedDataset)
    .describe(
      'The datasets that differ: breaking ones first, then unknown, then compatible ones; each sorted by UTF-8 ' +
        'bytes of the path',
    ),
  counts: z
    .object({
      datasets: VerdictCounts,
      changes: VerdictCounts,
      notes: Count.describe('Number of notes'),
      not_compared: Count.describe(
        'Number of changed groups that were not compared because the documents of all are too large; if there is ' +
          'one, the verdict is `unknown` or `breaking`',
      ),
    })
    .describe('Numbers before the lists were cut'),
  truncated: z.boolean().describe('Whether the lists were cut to keep the answer small; the worst is listed first'),
}

export const Compatibility = z.object({ from_snapshot_id: SnapshotId, ...comparison }).meta({
  id: 'Compatibility',
  description: 'Whether those who read the datasets of one snapshot can read those of another',
  examples: [
    {
      from_snapshot_id: '1CECHNKREP0F1RSTCMT0',
      to_snapshot_id: 'VHQMPVTZR0SCMXSGH9SG',
      verdict: 'breaking',
      datasets: [
        {
          group: '',
          verdict: 'breaking',
          changes: [
            {
              kind: 'units-changed',
              category: compatibilityRules['units-changed'].category,
              verdict: 'breaking',
              variable: 'temperature',
              dimension: null,
              attribute: 'units',
              before: 'degC',
              after: 'K',
            },
            {
              kind: 'size-grown',
              category: compatibilityRules['size-grown'].category,
              verdict: 'compatible',
              variable: null,
              dimension: 'time',
              attribute: null,
              before: 24,
              after: 48,
            },
          ],
          notes: [],
        },
      ],
      counts: {
        datasets: { breaking: 1, unknown: 0, compatible: 0 },
        changes: { breaking: 1, unknown: 0, compatible: 1 },
        notes: 0,
        not_compared: 0,
      },
      truncated: false,
    },
  ],
})
export type Compatibility = z.infer<typeof Compatibility>

/** Like {@link Compatibility}, but the earlier state is a contract. */
export const ContractVerdict = z
  .object(comparison)
  .meta({
    id: 'ContractVerdict',
    description:
      'Whether those who rely on a contract can read a snapshot. `before` is what the contract says. What the ' +
      'contract leaves out is not listed, and there are no notes',
    examples: [
      {
        to_snapshot_id: 'VHQMPVTZR0SCMXSGH9SG',
        verdict: 'breaking',
        datasets: [{ group: 'forecast', verdict: 'breaking', changes: [exampleTypeChange], notes: [] }],
        counts: {
          datasets: { breaking: 1, unknown: 0, compatible: 0 },
          changes: { breaking: 1, unknown: 0, compatible: 0 },
          notes: 0,
          not_compared: 0,
        },
        truncated: false,
      },
    ],
  })
export type ContractVerdict = z.infer<typeof ContractVerdict>
