import { generateSecretKey, SecretBox, type SecretKeys } from '@floe/storage/secrets'
import { t } from 'tap'

const context = 'configuration/1/secret_token'
const createBox = (...keys: SecretKeys) => new SecretBox(() => keys)

t.test('a sealed secret can be opened, and does not show its content', async (t) => {
  const box = createBox(generateSecretKey())
  for (const secret of ['open sesame', '', 'ü€😀', 'x'.repeat(10_000)]) {
    const sealed = box.seal(secret, context)
    t.match(sealed, /^sealed:[0-9a-f]{8}:[\w-]+$/)
    t.equal(box.open(sealed, context), secret)
    t.not(box.seal(secret, context), sealed, 'the same secret twice does not look the same')
  }
})

t.test('a sealed secret that was changed or belongs to another record is refused', async (t) => {
  const box = createBox(generateSecretKey())
  const sealed = box.seal('open sesame', context)
  const start = sealed.lastIndexOf(':') + 1
  for (let at = start; at < sealed.length; at++) {
    const other = sealed[at] === 'A' ? 'Q' : 'A'
    const changed = sealed.slice(0, at) + other + sealed.slice(at + 1)
    t.throws(() => box.open(changed, context), { name: 'SecretError' }, `character ${at}`)
  }
  for (const text of [sealed.slice(0, -4), sealed.slice(0, start + 8), 'open sesame', 'plain:open sesame', '']) {
    t.throws(() => box.open(text, context), { name: 'SecretError', message: /^configuration\/1\/secret_token / })
  }
  t.throws(() => box.open(sealed, 'configuration/2/secret_token'), { name: 'SecretError' })
})
