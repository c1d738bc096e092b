import { t } from 'tap'
import { nameNetwork } from '../../../../server/http/connections/name-network.ts'

t.test('an IPv4 address is one caller, however it is spelled', async (t) => {
  for (const address of [
    '192.0.2.1',
    '::ffff:192.0.2.1',
    '::FFFF:192.0.2.1',
    '::ffff:c000:0201',
    '0:0:0:0:0:ffff:c000:201',
  ])
    t.equal(nameNetwork(address), '192.0.2.1', address)
})

t.test('the addresses of a /64 network of IPv6 are one caller', async (t) => {
  const spellings = {
    '2001:db8:abcd:12::/64': [
      '2001:0DB8:ABCD:0012:0000:0000:0000:0001',
      '2001:db8:abcd:12::',
      '2001:db8:abcd:12::1:ffff',
    ],
    '2001:db8:0:0::/64': ['2001:db8::', '2001:db8::1', '2001:db8:0:0:1::', '2001:db8::192.0.2.1'],
    '0:0:0:1::/64': ['0:0:0:1::', '::1:0:0:0:0'],
    '0:0:0:0::/64': ['::', '::1'],
    'fe80:0:0:0::/64': ['fe80::1%eth0', 'fe80::2'],
  }
  for (const [network, addresses] of Object.entries(spellings))
    for (const address of addresses) t.equal(nameNetwork(address), network, address)
})
