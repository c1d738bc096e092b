import { t } from 'tap'
import { makeAddressRules, parseNetwork } from '../../../storage/addresses/address-rules.ts'

/** Refused addresses, by a part of the reason. */
const refused: Readonly<Record<string, readonly string[]>> = {
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  'carrier-grade NAT': ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
  metadata: ['168.63.129.16', '169.254.169.254'],
  'link-local': ['169.254.0.0', 'fe80::1', 'febf::1'],
  'protocol assignments': ['192.0.0.0', '192.0.0.192', '2001:2::1', '2001:20::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  AS112: ['192.31.196.1', '192.175.48.1', '2620:4f:8000::1'],
  AMT: ['192.52.193.1'],
  '6to4': ['192.88.99.1'],
  benchmarking: ['198.18.0.0', '198.19.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  reserved: ['240.0.0.0', '255.255.255.254', '64:ff9b:0:1::8.8.8.8', '4000::1', '8000::1'],
  broadcast: ['255.255.255.255'],
  'IPv4-compatible': ['::127.0.0.1', '::8.8.8.8'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::ffff:8.8.8.8'],
  'IPv4-translated': ['::ffff:0:127.0.0.1'],
  'NAT64 of an address that is loopback': ['64:ff9b::127.0.0.1'],
  'NAT64 of an address that is link-local': ['64:ff9b::a9fe:a9fe'],
  'NAT64 of an address that is private': ['64:ff9b::10.1.2.3'],
  'NAT64 of an address that is unspecified': ['64:ff9b::0.0.0.0'],
  'NAT64 of a local network': ['64:ff9b:1::1'],
  discarded: ['100::1', '100:0:0:1::1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  '6to4 of an address that is loopback': ['2002:7f00:1::'],
  '6to4 of an address that is link-local': ['2002:a9fe:a9fe::1'],
  '6to4 of an address that is private': ['2002:c0a8:101::1'],
  'segment routing': ['5f00::1'],
  'unique local': ['fc00::1', 'fd00:ec2::254', 'fd20:ce::254'],
  'not an IP address': ['fe80::1%eth0', 'localhost', '', '127.1'],
  'site-local': ['fec0::1'],
}

const allowed = (
  '1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 ' +
  '169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 ' +
  '2001:200::1 2001:4860:4860::8888 2606:4700:4700::1111 2a00:1450:4001:80b::200e 64:ff9b::8.8.8.8 2002:808:808::1'
).split(' ')

t.test('every address of a special range is refused, and the reason says what it is', async (t) => {
  const rules = makeAddressRules([])
  for (const [reason, addresses] of Object.entries(refused)) {
    for (const address of addresses) t.match(rules(address) ?? 'allowed', reason, address)
  }
})

t.test('ordinary public addresses are allowed, up to the edges of the special ranges', async (t) => {
  const rules = makeAddressRules([])
  for (const address of allowed) t.equal(rules(address), undefined, address)
})

t.test('an allowed network allows its own addresses only', async (t) => {
  const rules = makeAddressRules(['10.1.0.0/16', '127.0.0.1/32', 'fd00::/16'])
  for (const address of ['10.1.0.0', '10.1.255.255', '127.0.0.1', 'fd00::1'])
    t.equal(rules(address), undefined, address)
  const others = ['10.0.255.255', '10.2.0.0', '127.0.0.2', '192.168.0.1', 'fd01::1', '::1', '169.254.169.254']
  const disguised = ['::ffff:127.0.0.1', '::127.0.0.1', '64:ff9b::127.0.0.1', '2002:7f00:1::', '::ffff:10.1.0.1']
  for (const address of [...others, ...disguised]) t.type(rules(address), 'string', address)
})

t.test('a translated form is allowed by its own network', async (t) => {
  t.equal(makeAddressRules(['::ffff:0:0/96'])('::ffff:10.0.0.1'), undefined)
  t.type(makeAddressRules(['::ffff:0:0/96'])('10.0.0.1'), 'string')
})

t.test('the error names the text that is not a network', async (t) => {
  const texts = ['', '10.0.0.0', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', 'localhost/8', '10.0.0.0/-1', 'fe80::%1/64']
  for (const text of texts) {
    t.throws(() => parseNetwork(text), { name: 'NetworkError', message: JSON.stringify(text) }, text)
  }
})
