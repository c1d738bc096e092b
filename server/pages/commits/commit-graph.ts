// Places commits in rows, newest first, and in lanes. Each commit has one parent, so a graph is a tree: the history of the page's ref
// keeps the first lane, and other branches run beside it down to the commit that they branch off.
import type { ShownCommit } from '../page-subject.ts'

export type RefLabel = { readonly kind: 'branch' | 'tag'; readonly name: string }

export type GraphCommit = ShownCommit & { readonly parentId: string | null; readonly refs: readonly RefLabel[] }

/** Commits that only another branch holds, newest first, down to the one whose parent is in the graph. */
export type SideBranch = { readonly commits: readonly GraphCommit[] }

export type GraphRow = {
  readonly commit: GraphCommit
  readonly lane: number
  /** Lanes that have a line from the top of the row: to its commit, through it, or bending into its commit. */
  readonly above: readonly number[]
  /** Lanes that have a line to the bottom of the row. */
  readonly below: readonly number[]
  /** Lanes that end here, because they branch off this commit. */
  readonly joining: readonly number[]
}

/** Maximum number of lanes; further branches are left out. */
export const maxLanes = 8

/**
 * Arranges the rows.
 *
 * @param trunk commits of the ref of the page, newest first
 * @param continues whether the trunk has older commits, after its last row
 * @param comesFrom whether the trunk has newer commits, on an earlier page
 */
export function arrangeRows(
  trunk: readonly GraphCommit[],
  sides: readonly SideBranch[],
  { continues, comesFrom }: { readonly continues: boolean; readonly comesFrom: boolean },
): GraphRow[] {
  const waiting = groupByParent(sides)
  const rows: GraphRow[] = []
  /** Lanes that are assigned to a branch, even if its line has not begun. */
  const taken = new Set<number>([0])
  /** Lanes with a line below the last row. */
  const running = new Set<number>(comesFrom ? [0] : [])

  /** Places the commits of a branch in rows, each after the side branches that branch off it. Calls itself at most once for each lane. */
  const place = (commits: readonly GraphCommit[], lane: number, goesOn: boolean): void => {
    for (const [index, commit] of commits.entries()) {
      const joining: number[] = []
      for (const side of waiting.get(commit.snapshotId) ?? []) {
        const free = findFreeLane(taken)
        if (free === undefined) break
        taken.add(free)
        place(side.commits, free, true)
        joining.push(free)
      }
      const above = [...running]
      for (const joined of joining) {
        running.delete(joined)
        taken.delete(joined)
      }
      if (index < commits.length - 1 || goesOn) running.add(lane)
      else running.delete(lane)
      rows.push({ commit, lane, above, below: [...running], joining })
    }
  }
  place(trunk, 0, continues)
  return rows
}

function groupByParent(sides: readonly SideBranch[]): Map<string, SideBranch[]> {
  const groups = new Map<string, SideBranch[]>()
  for (const side of sides) {
    const parent = side.commits.at(-1)?.parentId
    if (parent === null || parent === undefined) continue
    const group = groups.get(parent)
    if (group === undefined) groups.set(parent, [side])
    else group.push(side)
  }
  return groups
}

function findFreeLane(taken: ReadonlySet<number>): number | undefined {
  for (let lane = 0; lane < maxLanes; lane += 1) if (!taken.has(lane)) return lane
  return undefined
}
