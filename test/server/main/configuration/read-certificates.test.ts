import { join } from 'node:path'
import { t } from 'tap'
import { readReceiverCertificates } from '../../../../server/main/configuration/read-certificates.ts'
import { readIdentity, testAuthority } from '../../notifications/start-receiver.ts'

const readAuthorities = (extraCaFile: string) => readReceiverCertificates({ extraCaFile, clientCertificates: [] })

t.test('certificates are read as they are', async (t) => {
  const text = `# ours\n${testAuthority}\n${testAuthority}`
  const file = join(t.testdir({ 'two.pem': text }), 'two.pem')
  t.equal((await readAuthorities(file)).extraCa, text)
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
    const error = await readAuthorities(join(directory, name)).catch((thrown: unknown) => thrown)
    t.match(error, refused, name)
    t.match(String(error), reason, name)
  }
})

t.test('a client certificate is read with its key, and refused with another one', async (t) => {
  const [mine, other] = [readIdentity('receiver'), readIdentity('other')]
  const directory = t.testdir({ 'mine.pem': mine.cert, 'mine.key': mine.key, 'other.key': other.key })
  const read = (keyName: string) =>
    readReceiverCertificates({
      extraCaFile: null,
      clientCertificates: [
        { hosts: ['*.test'], certFile: join(directory, 'mine.pem'), keyFile: join(directory, keyName) },
      ],
    })
  t.strictSame(await read('mine.key'), { extraCa: undefined, clientCertificates: [{ hosts: ['*.test'], ...mine }] })
  for (const [name, reason] of [
    ['other.key', / are no certificate and its key/],
    ['mine.pem', / are no certificate and its key/],
    ['missing.key', /no such file/],
  ] as const) {
    const error = await read(name).catch((thrown: unknown) => thrown)
    t.match(error, { name: 'ConfigError', message: /^notifications\.clientCertificates\.0 cannot be read: / }, name)
    t.match(String(error), reason, name)
  }
})
