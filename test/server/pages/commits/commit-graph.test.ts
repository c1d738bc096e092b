import { t } from 'tap'
import { arrangeRows, type GraphCommit, maxColumns } from '../../../../server/pages/commits/commit-graph.ts'
import { pageSubject } from '../sample-dataset.ts'

const { commit } = pageSubject
const whole = { hasOlder: false, hasNewer: false }

/** Makes commits whose ids are the letters of `names`, newest first. `parentId` is the parent of the last one. */
function chain(names: string, parentId: string | null): GraphCommit[] {
  const ids = names.split('')
  return ids.map((id, index) => ({ ...commit, snapshotId: id, parentId: ids[index + 1] ?? parentId, refs: [] }))
}

/** Writes each row as its commit and column, the columns above and below, and the columns that join. */
function draw(...graph: Parameters<typeof arrangeRows>): string[] {
  return arrangeRows(...graph).map(({ commit, column, above, below, joining }) => {
    const join = joining.length > 0 ? ` join ${joining.join('')}` : ''
    return `${commit.snapshotId}${column} ${above.join('')}>${below.join('')}${join}`
  })
}

t.test('a history without branches is one column', async (t) => {
  t.strictSame(draw(chain('cba', null), [], whole), ['c0 >0', 'b0 0>0', 'a0 0>'])
})

t.test('the column of a part of a history continues at both ends', async (t) => {
  t.strictSame(draw(chain('cb', 'a'), [], { hasOlder: true, hasNewer: true }), ['c0 0>0', 'b0 0>0'])
})

t.test('a branch runs beside the history down to the commit that it branches off', async (t) => {
  const sides = [{ commits: chain('yx', 'b') }]
  t.strictSame(draw(chain('cba', null), sides, whole), ['c0 >0', 'y1 0>01', 'x1 01>01', 'b0 01>0 join 1', 'a0 0>'])
})

t.test('a branch can branch off a side branch, and two branches off the same commit', async (t) => {
  const sides = [{ commits: chain('x', 'b') }, { commits: chain('z', 'x') }, { commits: chain('y', 'b') }]
  t.strictSame(draw(chain('ba', null), sides, whole), ['z2 >2', 'x1 2>1 join 2', 'y2 1>12', 'b0 12>0 join 12', 'a0 0>'])
})

t.test('more branches than columns are left out', async (t) => {
  const sides = Array.from({ length: 50 }, (_, index) => ({
    commits: [{ ...commit, snapshotId: `s${index}`, parentId: 'a', refs: [] }],
  }))
  const rows = arrangeRows(chain('a', null), sides, whole)
  t.equal(rows.length, maxColumns)
  t.ok(rows.every(({ column }) => column < maxColumns))
})

t.test('a branch that branches off none of the commits is not drawn', async (t) => {
  t.strictSame(draw(chain('ba', null), [{ commits: chain('x', 'elsewhere') }], whole), ['b0 >0', 'a0 0>'])
})
