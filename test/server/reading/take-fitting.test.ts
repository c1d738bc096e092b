import { t } from 'tap'
import { takeFitting } from '../../../server/reading/take-fitting.ts'

const measure = (text: string) => text.length

t.test('an item that does not fit is left out, and shorter ones after it are taken', async (t) => {
  const budget = { bytesLeft: 5 }
  t.strictSame(takeFitting(['aa', 'bbbb', 'ccc', 'd'], 9, budget, measure), ['aa', 'ccc'])
  t.strictSame(takeFitting(['e', ''], 9, budget, measure), [''], 'lists share a budget')
})

t.test('no item after the first ones is taken, even where one of these does not fit', async (t) => {
  t.strictSame(takeFitting(['aaa', 'b', 'c'], 2, { bytesLeft: 2 }, measure), ['b'])
})
