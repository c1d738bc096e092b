// Arranges commits in rows, newest first, and in columns. Each commit has one parent, so the graph is a tree: the
// history of the page's ref (the trunk) has the first column. Side branches run beside it, down to the commit that they
// branch off.
import type { CommitChanges, Remark } from '@floe/contract'
import type { ShownCommit } from '../page-subject.ts'
import type { CheckMarks } from '../parts/check-marks.ts'

/** A branch or tag that points to a commit. */
export type RefLabel = { readonly kind: 'branch' | 'tag'; readonly name: string }

/** A commit of the graph. */
export type GraphCommit = ShownCommit & {
  readonly parentId: string | null
  readonly refs: readonly RefLabel[]
  /** What it did to the paths that the page is about; undefined on a page about all paths. */
  readonly changes?: CommitChanges | undefined
  /** What checks say of it; undefined if there are none. */
  readonly marks?: CheckMarks | undefined
  /** What administrators say of it. */
  readonly remarks?: readonly Remark[]
}

/**
 * The commits of another branch that are not in the graph otherwise, newest first. The last one's parent is in the
 * graph.
 */
export type SideBranch = { readonly commits: readonly GraphCommit[] }

/** A row of the graph: a commit, and the columns that the row draws. */
export type GraphRow = {
  readonly commit: GraphCommit
  readonly column: number
  /** Columns with a line from the top of the row: to its commit, through the row, or bending to its commit. */
  readonly above: readonly number[]
  /** Columns with a line to the bottom of the row. */
  readonly below: readonly number[]
  /** Columns of the side branches that branch off this commit, and therefore end here. */
  readonly joining: readonly number[]
}

/** Maximum number of columns; more side branches are left out. */
export const maxColumns = 8

/**
 * Arranges the rows.
 *
 * @param trunk - commits of the page's ref, newest first
 * @param hasOlder - whether the trunk continues below the last row
 * @param hasNewer - whether the trunk begins above the first row, on another page
 */
export function arrangeRows(
  trunk: readonly GraphCommit[],
  sides: readonly SideBranch[],
  { hasOlder, hasNewer }: { readonly hasOlder: boolean; readonly hasNewer: boolean },
): GraphRow[] {
  const sidesByParent = Map.groupBy(sides, ({ commits }) => commits.at(-1)?.parentId)
  const rows: GraphRow[] = []
  /** Columns that belong to a branch, even if their line has not begun. */
  const usedColumns = new Set<number>([0])
  /** Columns with a line at the bottom of the last row so far. */
  const openColumns = new Set<number>(hasNewer ? [0] : [])

  /**
   * Adds a row for each commit, after the rows of the side branches that branch off it. Recursion ends after
   * `maxColumns`.
   */
  const addRows = (commits: readonly GraphCommit[], column: number, continues: boolean): void => {
    for (const [index, commit] of commits.entries()) {
      const joining: number[] = []
      for (const side of sidesByParent.get(commit.snapshotId) ?? []) {
        const sideColumn = findFreeColumn(usedColumns)
        if (sideColumn === undefined) break
        usedColumns.add(sideColumn)
        addRows(side.commits, sideColumn, true)
        joining.push(sideColumn)
      }
      const above = [...openColumns]
      for (const sideColumn of joining) {
        openColumns.delete(sideColumn)
        usedColumns.delete(sideColumn)
      }
      if (index < commits.length - 1 || continues) openColumns.add(column)
      else openColumns.delete(column)
      rows.push({ commit, column, above, below: [...openColumns], joining })
    }
  }
  addRows(trunk, 0, hasOlder)
  return rows
}

function findFreeColumn(usedColumns: ReadonlySet<number>): number | undefined {
  for (let column = 0; column < maxColumns; column += 1) if (!usedColumns.has(column)) return column
  return undefined
}
