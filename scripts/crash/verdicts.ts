// What commits change for readers, and what was told about it while the service was killed repeatedly.
import type { NewCommit, StateVerdict } from '@floe/contract'
import { buildNodeId } from '../../test/storage/repositories/icechunk/build-log.ts'
import { buildId, buildNode } from '../../test/storage/repositories/icechunk/build-object.ts'
import { writeArrayDocument } from '../../test/server/reading/search/array-document.ts'
import { datasetPath, type RecordedEvent } from './recorded.ts'

/** The groups of each snapshot. Each commit writes the document of one of them again. */
const groups = ['', 'a', 'a/b', 'c']
const array = { path: `${datasetPath}/t`, id: groups.length + 1 }
/** The array gets another type after as many commits. */
const commitsOfType = 3

/** Whether a commit writes the group `c`. */
export function writesC(commit: number): boolean {
  return groups[commit % groups.length] === 'c'
}

/** The numbers of all snapshots by their ids. */
export const numbers = new Map(Array.from({ length: 65_536 }, (_, number) => [String(buildId(number)), number]))

/** The type of the array, and the attribute of `c`. */
export function describe(commit: number) {
  const type = Math.floor(commit / commitsOfType) % 2 === 0 ? 'float32' : 'float64'
  return { type, run: Math.floor((commit + 1) / groups.length) }
}

/** The nodes of the snapshot with this number, in the order of their paths. */
export function buildNodes(commit: number) {
  const { type, run } = describe(commit)
  const nodes = groups.map((path, index) => {
    const attributes = path === 'c' ? { run } : {}
    return {
      path,
      kind: 2,
      id: index + 1,
      document: JSON.stringify({ zarr_format: 3, node_type: 'group', attributes }),
    }
  })
  const document = writeArrayDocument({}).replace('float32', type)
  return [...nodes, { ...array, kind: 1, document }]
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
    .map(({ path, kind, id, document }) => buildNode(`/${path}`, kind, document, buildNodeId(id)))
}

/** What the transaction log of a commit lists. */
export function listUpdated(commit: number) {
  const updatedArrays = commit % commitsOfType === 0 ? [array.id] : []
  return { updatedGroups: [1 + (commit % groups.length)], updatedArrays }
}

function judge(from: number, to: number): StateVerdict {
  const [before, after] = [describe(from), describe(to)]
  if (before.type !== after.type) return 'breaking'
  return before.run === after.run ? 'identical' : 'compatible'
}

/**
 * Adds a fault for each head move whose verdict does not follow it once, and for each other verdict. Returns the number
 * of verdicts, and how many of them were not known.
 *
 * @param excused reasons for which a verdict may not be known
 */
export function checkVerdicts(
  repository: string,
  events: readonly RecordedEvent[],
  faults: string[],
  excused: readonly unknown[] = ['timeout'],
): { readonly verdicts: number; readonly late: number } {
  const find = (id: string | null) => numbers.get(id ?? '') ?? Number.NaN
  let [verdicts, late] = [0, 0]
  for (const [index, { notification }] of events.entries()) {
    const { event, details } = notification
    const fault = (what: string) => faults.push(`${repository}: ${event} ${JSON.stringify(details)}: ${what}`)
    if (event === 'NewCommit') {
      const expected = expectVerdict(details, find)
      const next = events[index + 1]?.notification
      if (expected !== 'identical' && next?.event !== 'SchemaChanged') fault(`is not followed by ${expected}`)
    }
    if (event !== 'SchemaChanged') continue
    verdicts++
    const before = events[index - 1]?.notification
    if (before?.event !== 'NewCommit' || !isSameMove(before.details, details)) fault('does not follow its NewCommit')
    else if (excused.includes(details.not_compared_reason)) late++
    else if (details.verdict !== expectVerdict(before.details, find)) fault('has another verdict')
  }
  return { verdicts, late }
}

/** The verdict of a move; a first head has none. */
function expectVerdict(details: NewCommit['details'], find: (id: string) => number): StateVerdict {
  const { previous_snapshot_id: previous, snapshot_id: head } = details
  return previous === null ? 'identical' : judge(find(previous), find(head))
}

type Move = Pick<NewCommit['details'], 'branch' | 'snapshot_id' | 'previous_snapshot_id'>

function isSameMove(left: Move, right: Move): boolean {
  return (['branch', 'snapshot_id', 'previous_snapshot_id'] as const).every((name) => left[name] === right[name])
}
