import fc from 'fast-check'
import { t } from 'tap'
import {
  formatSnapshotId,
  parseSnapshotId,
  decodeSnapshotId,
} from '../../../../../storage/repositories/icechunk/format/object-id.ts'
import { checkProperty } from '../../../../check-property.ts'

t.test('ids are written as Icechunk writes them', async (t) => {
  t.equal(formatSnapshotId(Buffer.from('000102030405060708090A0B', 'hex')), '000G40R40M30E209185G')
  t.equal(formatSnapshotId(Buffer.from('0B1CC8D6787580F0E33A6534', 'hex')), '1CECHNKREP0F1RSTCMT0')
  t.equal(formatSnapshotId(Buffer.from('FFFFFFFFFFFFFFFFFFFFFFFF', 'hex')), 'ZZZZZZZZZZZZZZZZZZZG')
})

t.test('every id reads back to its bytes, and sorts as they do', async () => {
  const id = fc.uint8Array({ minLength: 12, maxLength: 12 })
  await checkProperty(
    1_000,
    fc.property(id, id, (a, b) => {
      const [first, second] = [formatSnapshotId(a), formatSnapshotId(b)]
      const sameOrder = Math.sign(Buffer.compare(a, b)) === (first < second ? -1 : first > second ? 1 : 0)
      return parseSnapshotId(first) === first && Buffer.compare(decodeSnapshotId(first), a) === 0 && sameOrder
    }),
  )
})

t.test('only the canonical form is an id', async (t) => {
  t.equal(parseSnapshotId('1CECHNKREP0F1RSTCMT0'), '1CECHNKREP0F1RSTCMT0')
  for (const text of [
    '',
    'main',
    '1cechnkrep0f1rstcmt0',
    '1CECHNKREP0F1RSTCMT',
    '1CECHNKREP0F1RSTCMT00',
    '1CECHNKREP0F1RSTCMT1',
    'ICECHNKREP0F1RSTCMT0',
    'LCECHNKREP0F1RSTCMT0',
    'OCECHNKREP0F1RSTCMT0',
    'UCECHNKREP0F1RSTCMT0',
    ' 1CECHNKREP0F1RSTCMT0',
    '1CECHNKREP0F1RSTCMT0\n',
    '../../../../etc/pass',
  ]) {
    t.equal(parseSnapshotId(text), undefined, JSON.stringify(text))
  }
})
