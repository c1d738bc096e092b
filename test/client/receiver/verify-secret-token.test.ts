import { verifySecretToken } from '@floe/client'
import fc from 'fast-check'
import { t } from 'tap'
import { areBytesEqual } from '../../../client/receiver/verify-secret-token.ts'
import { checkProperty } from '../../check-property.ts'

t.test('only the exact token is accepted', async (t) => {
  t.equal(await verifySecretToken('a token', 'a token'), true)
  for (const header of ['', 'a tokem', 'b token', 'a toke', 'a token ', 'A TOKEN', 'a token, a token']) {
    t.equal(await verifySecretToken(header, 'a token'), false, header)
  }
})

t.test('a missing token and several tokens are refused', async (t) => {
  for (const header of [null, undefined, [], ['a token'], ['a token', 'a token']]) {
    t.equal(await verifySecretToken(header, 'a token'), false)
  }
})

t.test('an empty expected token is refused, since a missing one might match it', async (t) => {
  for (const header of ['', null, 'a token']) {
    await t.rejects(verifySecretToken(header, ''), { name: 'TypeError', message: /is empty/ })
  }
})

t.test('bytes are compared over their whole length', async () => {
  const bytes = fc.uint8Array({ maxLength: 4, max: 2 })
  await checkProperty(
    1_000,
    fc.property(bytes, bytes, (a, b) => areBytesEqual(a, b) === (Buffer.compare(a, b) === 0)),
  )
})
