import { t } from 'tap'
import { ListRoom } from '../../../server/reading/list-room.ts'

t.test('an entry that does not fit is left out, and shorter ones after it are taken', async (t) => {
  const room = new ListRoom({ size: 5 })
  const take = (texts: readonly string[]) => texts.filter((text) => room.take(text.length))
  t.strictSame(take(['aa']), ['aa'])
  t.notOk(room.isCut)
  t.strictSame(take(['bbbb', 'ccc', 'd']), ['ccc'])
  t.ok(room.isCut)
  t.strictSame(take(['e', '']), [''], 'lists share the room')
})

t.test('no more entries are taken than there is room for', async (t) => {
  const room = new ListRoom({ entries: 2, size: 9 })
  t.strictSame(
    [1, 10, 1, 1].map((size) => room.take(size)),
    [true, false, true, false],
  )
})
