import { t } from 'tap'
import { searchForm } from '../../../../server/metadata/agents/answer-forms.ts'

t.test('an answer of a search says that branches are not indexed yet', async (t) => {
  const show = async (pending: number) => {
    const body = Buffer.from(JSON.stringify({ results: [], index: { repositories: 3, pending } }))
    return (await searchForm.prepare({}, false)(body, new AbortController().signal)).notes
  }
  const rest = 'not indexed yet, so datasets and words can be missing here. Ask again in some seconds.'
  t.strictSame(await show(0), [])
  t.strictSame(await show(1), [`1 branch is ${rest}`])
  t.strictSame(await show(2), [`2 branches are ${rest}`])
})
