// The settings page says before saving what the service then does; both decide by themselves, because the page cannot use the database's code.
import { dropsSecretToken } from '@floe/storage/database'
import { t } from 'tap'
import { isElsewhere, makeSigningSecret } from '../../../../server/pages/settings/receivers/form-values.ts'

t.test('the form and the service agree on when a Secret Token is dropped', async (t) => {
  const saved = 'https://example.org/hook'
  const urls = {
    [saved]: false,
    'HTTPS://Example.ORG:443/hook': false,
    'https://example.org/hook?of=weather': false,
    'https://example.org/hook#top': false,
    'https://example.org/a/../hook': false,
    'https://example.org/hook/': true,
    'https://example.org/Hook': true,
    'https://example.org/': true,
    'https://example.org:8443/hook': true,
    'https://other.example.org/hook': true,
  }
  for (const [url, isDropped] of Object.entries(urls)) {
    t.equal(isElsewhere(url, saved), isDropped, url)
    t.equal(dropsSecretToken({ url: saved, secretToken: 'sealed' }, { url }), isDropped, url)
  }
})

t.test('each signing secret of the form is a new one of 32 bytes', async (t) => {
  const secrets = Array.from({ length: 9 }, makeSigningSecret)
  t.equal(new Set(secrets).size, 9)
  for (const secret of secrets) t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
})
