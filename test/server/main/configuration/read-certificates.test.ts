import { join } from 'node:path'
import { t } from 'tap'
import { readCertificates } from '../../../../server/main/configuration/read-certificates.ts'
import { testAuthority } from '../../notifications/start-receiver.ts'

t.test('certificates are read as they are', async (t) => {
  const text = `# ours\n${testAuthority}\n${testAuthority}`
  const file = join(t.testdir({ 'two.pem': text }), 'two.pem')
  t.equal(await readCertificates(file), text)
})

t.test('a file that TLS would ignore is refused', async (t) => {
  const block = (content: string) => `-----BEGIN CERTIFICATE-----\n${content}\n-----END CERTIFICATE-----\n`
  const files = { 'text.pem': 'a certificate', 'damaged.pem': testAuthority + block('AAAA') }
  const directory = t.testdir(files)
  for (const [name, reason] of [
    ['text.pem', /holds no certificate in PEM form/],
    ['damaged.pem', /./],
    ['missing.pem', /no such file/],
  ] as const) {
    const refused = { name: 'ConfigError', message: /^notifications\.extraCaFile cannot be read: ./ }
    const error = await readCertificates(join(directory, name)).catch((thrown: unknown) => thrown)
    t.match(error, refused, name)
    t.match(String(error), reason, name)
  }
})
