import assert from 'node:assert/strict'
import fc from 'fast-check'
import { t } from 'tap'
import { compareUtf8, sortUtf8 } from '../../../../storage/repositories/objects/index.ts'
import { checkProperty } from '../../../check-property.ts'

t.test('texts are ordered by their UTF-8 bytes', async (t) => {
  t.strictSame(['b', 'a/b', '', 'a-b', 'a', '\u{1F600}', '\uFFFD', 'ä'].sort(compareUtf8), [
    '',
    'a',
    'a-b',
    'a/b',
    'b',
    'ä',
    '\uFFFD',
    '\u{1F600}',
  ])
  const text = fc.string({ unit: 'binary', maxLength: 8 })
  await checkProperty(
    2_000,
    fc.property(text, text, text, (shared, a, b) => {
      const [left, right] = [shared + a, shared + b]
      return Math.sign(compareUtf8(left, right)) === Buffer.compare(Buffer.from(left), Buffer.from(right))
    }),
  )
})

t.test('sorting names gives the order of comparing them', async () => {
  const names = fc.array(fc.string({ unit: 'binary', maxLength: 3 }), { maxLength: 20 })
  await checkProperty(
    500,
    fc.property(names, (texts) => {
      assert.deepEqual(sortUtf8(texts), texts.toSorted(compareUtf8))
    }),
  )
})
