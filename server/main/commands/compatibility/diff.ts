// `floe diff`: tells whether a change, or what a contract asks for, breaks readers. For continuous integration; needs
// neither server nor database.
import type { ChangeVerdict } from '@floe/contract'
import type { Snapshot } from '@floe/storage/icechunk'
import type { JsonBytes } from '@floe/storage/json'
import { nameLocation } from '@floe/storage/objects'
import { describeChange, type Expectation } from '../../../compatibility/describe-change.ts'
import { compareContract } from '../../../reading/compatibility/compare-contract.ts'
import { compareSnapshots } from '../../../reading/compatibility/compare-snapshots.ts'
import type { SnapshotsComparison } from '../../../reading/compatibility/kept-changes.ts'
import { writeCompatibility, writeContractVerdict } from '../../../reading/compatibility/write-compatibility.ts'
import { compareSources } from '../../../reading/diff/compare-sources.ts'
import { type CommandLine, FailedChecksError, type FlagValues, UsageError } from '../command.ts'
import { escapeControls, showProgress, type Terminal } from '../terminal.ts'
import { readContractFile } from '../../configuration/read-contract-file.ts'
import { selectDatasets } from './contract-file.ts'
import { openLocation, type OpenedLocation } from '../access/open-location.ts'

/** The verdicts with which the command fails, by the value of `--fail-on`. */
const failures: ReadonlyMap<string, readonly string[]> = new Map([
  ['breaking', ['breaking']],
  ['unknown', ['breaking', 'unknown']],
])

/** What was compared, in words, with the result and the same as JSON. */
type Judged = {
  readonly subject: string
  readonly expectation: Expectation
  readonly comparison: SnapshotsComparison
  readonly body: JsonBytes<{ readonly verdict: string }>
}

/** `floe diff LOCATION FROM TO`. With `--contract`, compares TO with the contract instead of FROM. */
export async function diff({ values, operands }: CommandLine, terminal: Terminal): Promise<void> {
  const [location = '', ...refs] = operands
  const to = refs.at(-1) ?? ''
  const from = refs.length === 2 ? refs[0] : undefined
  const failing = parseFailOn(values)
  if (from === undefined && values.contract === undefined)
    throw new UsageError('diff needs FROM and TO, or TO and --contract')
  const { body, ...judged } = await showProgress(terminal, async (show) => {
    show(`reading ${nameLocation(location)}`)
    const opened = await openLocation(location, values, terminal)
    if (values.contract !== undefined) return judgeByContract(opened, to, values.contract)
    return judgeChange(opened, from ?? '', to)
  })
  terminal.out(values.json ? `${body.toString()}\n` : writeText(judged))
  const { verdict } = judged.comparison
  if (failing.includes(verdict)) throw new FailedChecksError(`${judged.subject}: ${verdict}`)
}

async function judgeChange(
  { repository, limits, signal, group }: OpenedLocation,
  from: string,
  to: string,
): Promise<Judged> {
  const read = async (ref: string): Promise<Snapshot> =>
    repository.readSnapshot((await repository.resolve(ref, signal)).snapshotId, signal)
  const [before, after] = [await read(from), await read(to)]
  const logs = await repository.readLogs(before.id, after.id, signal)
  const compared = await compareSources({ before, after, logs }, limits, signal)
  const comparison = compareSnapshots(compared, group ?? '', signal)
  const body = writeCompatibility(compared, comparison, signal)
  return { subject: `${from} -> ${to}`, expectation: 'earlier state', comparison, body }
}

async function judgeByContract(
  { repository, signal, group }: OpenedLocation,
  ref: string,
  file: string,
): Promise<Judged> {
  const contract = selectDatasets(await readContractFile(file), group, file)
  const { snapshotId } = await repository.resolve(ref, signal)
  const snapshot = await repository.readSnapshot(snapshotId, signal)
  const comparison = compareContract(snapshot, contract, signal)
  const body = writeContractVerdict(snapshot, comparison, signal)
  return { subject: `${ref} against ${file}`, expectation: 'contract', comparison, body }
}

function parseFailOn(values: FlagValues): readonly string[] {
  const failing = failures.get(values['fail-on'] ?? 'breaking')
  if (failing === undefined) throw new UsageError(`--fail-on must be ${[...failures.keys()].join(' or ')}`)
  return failing
}

/** Writes the verdict, then a line for each change that is not compatible, then what is not shown. */
function writeText({ subject, expectation, comparison }: Omit<Judged, 'body'>): string {
  const { verdict, groups, counts, isCut } = comparison
  const lines = [`${verdict}: ${subject} (${describeCounts(counts.changes)})`]
  for (const { path, changes, notes } of groups) {
    const shown = path === '' ? '/' : path
    for (const change of changes)
      if (change.verdict !== 'compatible')
        lines.push(`${change.verdict}  ${shown}: ${describeChange(change, expectation)}`)
    for (const { dimension, size, parent, parentSize } of notes)
      lines.push(
        `note  ${shown}: ${dimension} is ${size} long here and ${parentSize} in ${parent === '' ? '/' : parent}`,
      )
  }
  if (isCut) lines.push('not all changes are shown')
  if (counts.notCompared > 0) lines.push(`${counts.notCompared} groups are too large to compare`)
  return lines.map((line) => `${escapeControls(line)}\n`).join('')
}

function describeCounts(counts: Readonly<Record<ChangeVerdict, number>>): string {
  const verdicts = ['breaking', 'unknown', 'compatible'] as const
  return verdicts.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')
}
