import { t } from 'tap'
import { searchForm } from '../../../../server/metadata/agents/answer-forms.ts'

async function note(index: object): Promise<readonly string[]> {
  const body = Buffer.from(JSON.stringify({ results: [], index }))
  return (await searchForm.prepare({}, false)(body, new AbortController().signal)).notes
}

t.test('an answer of a search says that branches are not indexed yet', async (t) => {
  const show = (pending: number, failed = 0) => note({ repositories: 3, pending, failed, omitted: 0 })
  const rest = 'not indexed yet, so datasets and words can be missing here. Ask again in some seconds.'
  t.strictSame(await show(0), [])
  t.strictSame(await show(1), [`1 branch is ${rest}`])
  t.strictSame(await show(2), [`2 branches are ${rest}`])
  const failed = 'could not be indexed, so datasets and words can be missing here.'
  t.strictSame(await show(2, 2), [`2 branches ${failed}`], 'asking again soon would not help')
  t.strictSame(await show(2, 1), [`1 branch is ${rest}`, `1 branch ${failed}`])
})

t.test('an answer of a search says how many datasets are left out', async (t) => {
  const rest = 'left out of the index, because a repository has too many datasets or words.'
  t.strictSame(await note({ pending: 0, failed: 0, omitted: 1 }), [`1 dataset is ${rest}`])
  t.strictSame(await note({ pending: 0, failed: 0, omitted: 7 }), [`7 datasets are ${rest}`])
})
