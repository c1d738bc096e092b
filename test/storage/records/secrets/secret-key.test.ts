import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { parseSecretKeys } from '@floe/storage/secrets'
import { t } from 'tap'

const bytes = randomBytes(32)

t.test('a key is 32 bytes in base64, base64url or hexadecimal digits', async (t) => {
  const base64 = bytes.toString('base64')
  const texts = [base64, base64.slice(0, -1), bytes.toString('base64url'), bytes.toString('hex'), ` ${base64}\n`]
  for (const text of [...texts, bytes.toString('hex').toUpperCase()]) {
    const [key, ...others] = parseSecretKeys(text) ?? []
    t.strictSame(key?.key.export(), bytes, text)
    t.strictSame(others, [])
  }
})

t.test('several keys stay in their order, and one key has one id in all forms', async (t) => {
  const other = randomBytes(32)
  const keys = parseSecretKeys(`${bytes.toString('hex')}, ${other.toString('base64')}\n${bytes.toString('base64')}`)
  t.strictSame(
    keys?.map(({ key }) => key.export()),
    [bytes, other, bytes],
  )
  t.equal(keys?.[0].id, keys?.[2]?.id)
  t.not(keys?.[0].id, keys?.[1]?.id)
})

t.test('any other text is not a key', async (t) => {
  const key = bytes.toString('base64')
  for (const text of [
    '',
    'hush',
    key.slice(0, -2),
    `${key}A`,
    `${key},`,
    `${key},hush`,
    bytes.toString('hex').slice(1),
  ]) {
    t.equal(parseSecretKeys(text), undefined, text)
  }
})

t.test('a key that is printed by mistake shows nothing', async (t) => {
  const shown = inspect(parseSecretKeys(bytes.toString('hex')), { depth: 9 })
  for (const encoding of ['hex', 'base64', 'base64url'] as const) t.notMatch(shown, bytes.toString(encoding))
})
