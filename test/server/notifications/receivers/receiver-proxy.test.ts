import { t } from 'tap'
import {
  findProxy,
  parseProxy,
  readEnvironmentProxy,
} from '../../../../server/notifications/receivers/receiver-proxy.ts'

t.test('an address of a proxy has a scheme, a host, perhaps a port and credentials, and nothing else', async (t) => {
  const addresses = ['http://proxy.test:3128', 'https://proxy.test/', 'HTTP://10.0.0.1', 'http://[fd00::1]:8080']
  for (const address of addresses) t.equal(parseProxy(address).authorization, undefined, address)
  const { authorization = '' } = parseProxy('http://us%3Aer:p%40ss%25@proxy.test:3128')
  t.equal(Buffer.from(authorization.replace('Basic ', ''), 'base64').toString(), 'us:er:p@ss%')
  const wrong = [
    '',
    'proxy.test:3128',
    'socks5://proxy.test',
    'ftp://proxy.test',
    'http:proxy.test',
    'http://',
    'http://:3128',
    'http://proxy.test:port',
    'http://proxy.test:99999',
    'http://proxy.test/path',
    'http://proxy.test?hush',
    'http://proxy.test#hush',
    'http://proxy.test:3128\n',
    'http://proxy one.test',
    'http://hush:hush%zz@proxy.test',
    'environment',
  ]
  for (const address of wrong) {
    const refused = { name: 'ProxyAddressError', message: /^must be the address of an HTTP proxy, such as / }
    t.throws(() => parseProxy(address), refused, address)
    t.throws(() => parseProxy(address), { message: /^(?:(?!hush).)*$/ }, address)
  }
})

t.test('the proxy of the environment is that of HTTPS_PROXY, in lower case first', async (t) => {
  const host = (environment: Record<string, string>) => readEnvironmentProxy(environment)?.url.host
  t.equal(host({}), undefined)
  t.equal(host({ HTTPS_PROXY: '', HTTP_PROXY: 'http://other.test' }), undefined)
  t.equal(host({ HTTPS_PROXY: 'http://proxy.test:3128' }), 'proxy.test:3128')
  t.equal(host({ HTTPS_PROXY: 'http://upper.test', https_proxy: 'http://lower.test' }), 'lower.test')
  t.equal(host({ HTTPS_PROXY: 'proxy.test:3128' }), 'proxy.test:3128', 'without a scheme')
  t.throws(() => host({ HTTPS_PROXY: 'socks5://proxy.test' }), { name: 'ProxyAddressError' })
})

t.test('NO_PROXY lists what is reached directly', async (t) => {
  const goesDirectly = (list: string, receiver: string) => {
    const proxy = readEnvironmentProxy({ HTTPS_PROXY: 'http://proxy.test', NO_PROXY: list })
    return findProxy(proxy, new URL(receiver)) === undefined
  }
  const cases: readonly (readonly [list: string, direct: readonly string[], proxied: readonly string[]])[] = [
    ['', [], ['https://a.test/', 'https://10.0.0.1/']],
    ['*', ['https://a.test/', 'https://10.0.0.1/', 'https://[fd00::1]/'], []],
    ['a.test', ['https://a.test/', 'https://b.a.test:8443/'], ['https://ba.test/', 'https://a.test.b/']],
    ['.a.test,*.b.test', ['https://x.a.test/', 'https://x.b.test/'], ['https://c.test/']],
    ['A.TEST b.test', ['https://a.test/', 'https://b.test/'], ['https://c.test/']],
    ['a.test:8443', ['https://a.test:8443/'], ['https://a.test/']],
    ['a.test:443', ['https://a.test/'], ['https://a.test:8443/']],
    ['10.0.0.1, fd00::1', ['https://10.0.0.1/', 'https://[fd00::1]/'], ['https://10.0.0.10/', 'https://[fd00::2]/']],
    ['[fd00::1]:8443', ['https://[fd00::1]:8443/'], ['https://[fd00::1]/']],
    ['10.0.0.0/8,fd00::/8', ['https://10.1.2.3/', 'https://[fd00::1]/'], ['https://11.0.0.1/', 'https://10.test/']],
    ['0.0.1', [], ['https://10.0.0.1/']],
  ]
  for (const [list, direct, proxied] of cases) {
    for (const receiver of direct) t.equal(goesDirectly(list, receiver), true, `${list}: ${receiver}`)
    for (const receiver of proxied) t.equal(goesDirectly(list, receiver), false, `${list}: ${receiver}`)
  }
  t.equal(goesDirectly('', 'http://localhost:3000/'), true, 'plain http is only for this machine')
})
