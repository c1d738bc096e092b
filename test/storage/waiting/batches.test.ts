import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { Batches } from '@floe/storage/waiting'

t.test('what is added during a batch forms the next one', async (t) => {
  const handled: (readonly number[])[] = []
  const doubles = new Batches<number, number>(async (items) => {
    handled.push(items)
    await nextTurn()
    return items.map((item) => 2 * item)
  }, 3)
  const first = [1, 2].map((item) => doubles.add(item))
  await nextTurn()
  const second = [3, 4, 5, 6].map((item) => doubles.add(item))
  t.strictSame(await Promise.all([...first, ...second]), [2, 4, 6, 8, 10, 12])
  t.strictSame(handled, [[1, 2], [3, 4, 5], [6]])
  t.equal(await doubles.add(7), 14, 'later items form a new batch')
})

t.test('if a batch fails, only the items that cause the failure fail', async (t) => {
  const inverses = new Batches<number, number>(async (items) => {
    if (items.includes(0)) throw new RangeError('0 has no inverse')
    return items.map((item) => 1 / item)
  })
  const results = await Promise.allSettled([1, 0, 2].map((item) => inverses.add(item)))
  t.match(results, [{ value: 1 }, { reason: { message: '0 has no inverse' } }, { value: 0.5 }])
})
