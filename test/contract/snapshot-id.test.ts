import { SnapshotId } from '@floe/contract'
import { parseSnapshotId } from '@floe/storage/icechunk'
import fc from 'fast-check'
import { t } from 'tap'
import { checkProperty } from '../check-property.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZaz_ '.split('')
const anyText = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 18, maxLength: 21 })
const almostId = fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{19}[0-9A-HJKMNP-TV-Z]$/)
const id = fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{19}[0G]$/)

t.test('the contract and the reader agree on what is a snapshot id', async (t) => {
  const verdicts = new Set<boolean>()
  await checkProperty(
    1_000,
    fc.property(fc.oneof(anyText, almostId, id), (text) => {
      const { success } = SnapshotId.safeParse(text)
      verdicts.add(success)
      return success === (parseSnapshotId(text) !== undefined)
    }),
  )
  t.strictSame(verdicts, new Set([true, false]), 'of ids and of other texts')
})
