// `floe inspect --gaps`: shows which chunks of arrays are not written, one array a line.
import type { ArrayGaps } from '@floe/contract'
import {
  DamagedObjectError,
  decodeManifest,
  LimitExceededError,
  type ManifestChunks,
  type ManifestId,
  MissingObjectError,
  type ReaderLimits,
  type Repository,
  type Snapshot,
  UnsupportedFormatError,
} from '@floe/storage/icechunk'
import { mapInParallel } from '@floe/storage/waiting'
import { describeGaps } from '../../../pages/gaps/describe-gaps.ts'
import { listSteps, type StepState } from '../../../pages/gaps/gap-steps.ts'
import { GapsPart } from '../../../reading/gaps/gaps-part.ts'
import { type ManifestFault, SnapshotManifests } from '../../../reading/manifests/snapshot-manifests.ts'
import { writeGaps } from '../../../reading/gaps/write-gaps.ts'
import { escapeControls } from '../terminal.ts'

type InspectedArrays = {
  readonly repository: Repository
  readonly snapshot: Snapshot
  /** The root group is `''`. */
  readonly group: string
  readonly isJson: boolean
  readonly limits: ReaderLimits
}

/** The most arrays that are shown. */
const limit = 1_000

/** Shows the gaps of the arrays at and below a group; as JSON, with the JSON that `gaps` answers over HTTP. */
export async function inspectGaps(inspected: InspectedArrays, signal: AbortSignal): Promise<string> {
  const { snapshot, group, isJson } = inspected
  const read = new Map<ManifestId, ManifestChunks | ManifestFault>()
  for (;;) {
    const source = new SnapshotManifests(snapshot, read)
    const text = isJson ? writeGaps(source, { group, limit }, signal).toString() : writeText(source, group, signal)
    if (source.missing.size === 0) return text
    await mapInParallel(source.missing, width, async (id) => read.set(id, await readManifest(inspected, id, signal)))
  }
}

/** Number of manifests that are read at the same time. */
const width = 8

async function readManifest(
  { repository, limits }: InspectedArrays,
  id: ManifestId,
  signal: AbortSignal,
): Promise<ManifestChunks | ManifestFault> {
  try {
    return await decodeManifest(await repository.readManifestFile(id, signal), id, limits, { cancellation: signal })
  } catch (error) {
    if (error instanceof MissingObjectError) return 'manifest_missing'
    if (error instanceof LimitExceededError) return 'manifest_too_large'
    if (error instanceof DamagedObjectError || error instanceof UnsupportedFormatError) return 'manifest_damaged'
    throw error
  }
}

function writeText(source: SnapshotManifests, group: string, signal: AbortSignal): string {
  const part = new GapsPart(source, { group, limit }, signal)
  const arrays = [...part.list()]
  const longest = Math.max(0, ...arrays.map(({ path }) => path.length))
  const lines = arrays.map((array) => writeLine(array, Math.min(longest, maxColumn)))
  if (part.next !== null) lines.push('More arrays follow. --group selects those below a group.')
  return ['# written, : some chunks missing, . all chunks missing', ...lines].map(escapeControls).join('\n')
}

/** Width of the column of paths, in characters. Longer paths move the rest of their line. */
const maxColumn = 40

/** Maximum number of steps in a line. */
const maxSteps = 40

/** How a step is shown. */
const signs: Readonly<Record<StepState, string>> = {
  written: '#',
  partly: ':',
  missing: '.',
  ahead: ' ',
  unlisted: '?',
}

function writeLine(array: ArrayGaps, column: number): string {
  const steps = listSteps(array, maxSteps)
  const strip = steps?.runs.map(({ state, first, end }) => signs[state].repeat(end - first)).join('')
  return `${array.path.padEnd(column)} ${strip === undefined ? '' : `[${strip}] `}${describeGaps(array)}`
}
