import { t } from 'tap'
import { makeAddressRules } from '@floe/storage/addresses'
import { parseReceiverUrl as parse } from '../../../../server/notifications/receivers/receiver-url.ts'

const parseReceiverUrl = (url: string, rules: ReturnType<typeof makeAddressRules>, allowHttpLoopback = false) =>
  parse(url, rules, allowHttpLoopback)

/** By the message. */
const messages = {
  malformed: /^is not a URL|^must start with https:\/\/ and a host/,
  'too-long': /^must have at most 2048 characters/,
  'not-https': /^must start with https:\/\/$/,
  credentials: /user name or a password/,
  'unusual-host': /host in the usual form/,
  'local-name': /machine that Floe runs on.*notifications\.allowPrivateNetworks/,
  'refused-address': /^must not lead to an address that is /,
} as const

const prefix = (host: string) => `https://${host}`

const refused: { readonly [rule in keyof typeof messages]: readonly string[] } = {
  malformed: [
    '',
    'hook',
    'example.org/hook',
    'https://',
    'https:example.org',
    'https:/example.org',
    'https:///example.org',
    'https:\\\\example.org',
    'https://exa mple.org',
    'https://exa\nmple.org',
    ' https://example.org',
    'https://example.org\\@127.0.0.1',
    'https://example.org:99999',
    'https://[::1',
    'https://256.1.1.1',
    'https://1.2.3.4.5',
  ],
  'too-long': [`https://example.org/${'a'.repeat(2_048)}`],
  'not-https': ['http://example.org', 'ftp://example.org', 'file:///etc/passwd', 'javascript:alert(1)', 'gopher://x'],
  credentials: ['user@example.org', 'user:pass@example.org', ':@example.org', '@example.org'].map(prefix),
  'unusual-host': [
    // IPv4 addresses as one number, in octal, in hexadecimal, and with parts left out
    ...'2130706433 134744072/ 017700000001 0177.0.0.1 0x7f.0.0.1 0x7f000001 0X7F.1'.split(' '),
    ...'127.1 127.0.1 0 8.8.2056 127.0.0.01'.split(' '),
    // Other characters that are read as digits, letters or dots
    ...'①②⑦.⓪.⓪.① ①⑥⑨.254.169.254 127。0。0。1 exampl①.com ⓔxample.com ｅｘａｍｐｌｅ.com example。com'.split(' '),
    ...'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ exa\u00admple.com %65xample.com %31%32%37.0.0.1'.split(' '),
    // A dot at the end
    ...'example.org. example.org.:8443/hook 127.0.0.1. localhost.'.split(' '),
  ].map(prefix),
  'local-name': (
    'localhost LocalHost:8443/hook hook.localhost a.b.LOCALHOST localhost.localdomain localhost6 ip6-localhost ' +
    'ip6-loopback'
  )
    .split(' ')
    .map(prefix),
  'refused-address': (
    '127.0.0.1 127.0.0.1:8443/hook 10.0.0.1 169.254.169.254/latest/meta-data/ 0.0.0.0 255.255.255.255 [::] ' +
    '[::1]:8443 [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] ' +
    '[2002:7f00:1::] [fe80::1] [fd00:ec2::254]'
  )
    .split(' ')
    .map(prefix),
}

for (const [rule, message] of Object.entries(messages)) {
  // Proves: the URL of a webhook must start with `https`
  t.test(`refused as ${rule}`, async (t) => {
    // The key is one of both.
    for (const url of refused[rule as keyof typeof messages])
      t.throws(() => parseReceiverUrl(url, makeAddressRules([])), { name: 'ReceiverUrlError', message }, url)
  })
}

t.test('disguised hosts stay refused when their network is allowed', async (t) => {
  const rules = makeAddressRules(['127.0.0.0/8'])
  t.equal(parseReceiverUrl('https://127.0.0.1:8443/hook', rules).href, 'https://127.0.0.1:8443/hook')
  t.throws(() => parseReceiverUrl('https://2130706433', rules), { message: messages['unusual-host'] })
  t.throws(() => parseReceiverUrl('https://[::ffff:127.0.0.1]', rules), { message: messages['refused-address'] })
})

t.test('names of this machine are accepted when its loopback address is allowed', async (t) => {
  const names = ['localhost', 'hook.localhost', 'localhost.localdomain', 'localhost6', 'ip6-localhost', 'ip6-loopback']
  for (const name of names) {
    const url = `https://${name}:8443/hook`
    for (const network of ['127.0.0.0/8', '127.0.0.1/32', '::1/128']) {
      t.equal(parseReceiverUrl(url, makeAddressRules([network])).href, url)
    }
    for (const networks of [[], ['10.0.0.0/8'], ['127.0.0.2/32']]) {
      t.throws(() => parseReceiverUrl(url, makeAddressRules(networks)), { message: messages['local-name'] })
    }
  }
})

t.test('ordinary URLs are accepted and normalised', async (t) => {
  const accepted = {
    'https://example.org': 'https://example.org/',
    'HTTPS://Example.ORG:443/Hook?a=B': 'https://example.org/Hook?a=B',
    'https://example.org:8443/a/../b': 'https://example.org:8443/b',
    'https://münchen.example/': 'https://xn--mnchen-3ya.example/',
    'https://xn--mnchen-3ya.example/': 'https://xn--mnchen-3ya.example/',
    'https://MÜNCHEN.example:8443/': 'https://xn--mnchen-3ya.example:8443/',
    'https://8.8.8.8/hook': 'https://8.8.8.8/hook',
    'https://[2606:4700:4700:0:0::1111]/': 'https://[2606:4700:4700::1111]/',
    'https://1password.example/': 'https://1password.example/',
    'https://localhost.example/': 'https://localhost.example/',
    'https://example.org/a@b?c=@': 'https://example.org/a@b?c=@',
  }
  for (const [text, href] of Object.entries(accepted)) t.equal(parseReceiverUrl(text, makeAddressRules([])).href, href)
})

t.test('a refusal tells a person what to write, and does not repeat what may be a secret', async (t) => {
  const rules = makeAddressRules([])
  t.throws(() => parseReceiverUrl('https://0x7f.1/T0/hush', rules), {
    message: 'must name its host in the usual form: 127.0.0.1',
  })
  t.throws(() => parseReceiverUrl('https://10.0.0.1/T0/hush', rules), {
    message:
      'must not lead to an address that is private (RFC 1918), ' +
      'unless the setting notifications.allowPrivateNetworks holds it',
  })
  t.throws(() => parseReceiverUrl('http://example.org/T0/hush', rules), { message: /^((?!hush).)*$/ })
})

t.test('plain http is accepted only where it is allowed, and only to this machine', async (t) => {
  const rules = makeAddressRules([])
  for (const url of [
    'http://localhost:3000/hook',
    'http://LOCALHOST/',
    'http://127.0.0.1:3000/hook',
    'http://127.8.9.1/',
    'http://[::1]:3000/hook',
  ]) {
    t.equal(parseReceiverUrl(url, rules, true).href, new URL(url).href)
    t.throws(() => parseReceiverUrl(url, rules), {
      name: 'ReceiverUrlError',
      message: 'must start with https://, unless the setting notifications.allowHttpLoopback is true',
    })
    t.throws(
      () => parseReceiverUrl(url.replace('http:', 'https:'), rules, true),
      { message: /allowPrivateNetworks/ },
      url,
    )
  }
  for (const url of [
    'http://example.org/',
    'http://10.0.0.1/',
    'http://128.0.0.1/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://[::2]/',
    'http://[::ffff:127.0.0.1]/',
    'http://app.localhost/',
    'http://localhost.localdomain/',
    'http://localhost.example.org/',
    'http://127.0.0.1.example.org/',
    'http://localhost./',
    'ftp://localhost/',
  ]) {
    t.throws(() => parseReceiverUrl(url, rules, true), { message: /^must start with https:\/\/$/ }, url)
  }
  for (const url of ['http://2130706433/', 'http://0x7f.1/', 'http://user@localhost/', 'http:localhost/'])
    t.throws(() => parseReceiverUrl(url, rules, true), { name: 'ReceiverUrlError' }, url)
})
