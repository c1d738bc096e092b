// Addresses of files, completed and without credentials.
import fc from 'fast-check'
import { t } from 'tap'
import { showAddress } from '../../../../../../storage/repositories/icechunk/format/manifest/show-address.ts'
import { checkProperty } from '../../../../../check-property.ts'

const containers = new Map([
  ['runs', 's3://open-data/runs/'],
  ['web', 'https://ada:hush@example.org/'],
])
const show = (location: string) => showAddress(location, containers)

t.test('locations below a named container are completed, and others stay as they are', (t) => {
  const same = [
    'vcc://other/a.nc',
    'vcc://runs',
    'vcc://',
    'vcc:///a',
    'VCC://runs/a',
    's3://b/a@b',
    'file:///a@b?c#d',
    'x',
    '',
  ]
  for (const location of same) t.equal(show(location), location)
  t.equal(show('vcc://runs/a/b.nc'), 's3://open-data/runs/a/b.nc')
  t.equal(show('vcc://runs//b c.nc'), 's3://open-data/runs//b c.nc')
  t.equal(showAddress('vcc://constructor/a', new Map()), 'vcc://constructor/a')
  t.end()
})

t.test('nothing that could be a credential is shown', (t) => {
  const cases = {
    'https://ada:hush@example.org/x.nc': 'https://example.org/x.nc',
    'https://ada:a@hush@example.org:8443/x@y.nc?sig=hush': 'https://example.org:8443/x@y.nc',
    'https://example.org/x.nc#hush': 'https://example.org/x.nc',
    's3://ada:hush@bucket/key': 's3://bucket/key',
    'vcc://web/x.nc?hush': 'https://example.org/x.nc',
    'https:///ada:hush@example.org/': '(not shown)',
    'https:\\\\ada:hush@example.org/': '(not shown)',
    'ht\ntps://ada:hush@example.org/': '(not shown)',
    ' https://ada:hush@example.org/': '(not shown)',
    'https://ada:h?ush@example.org/': '(not shown)',
    'https://ada:h/ush@example.org/': '(not shown)',
    'ada:hush@example.org': '(not shown)',
    'https://[bad/x?sig=hush': '(not shown)',
    'file://ada:hush@host/x': '(not shown)',
  }
  for (const [location, shown] of Object.entries(cases)) t.equal(show(location), shown, location)
  t.end()
})

t.test('what is shown of any address has neither user, password, query nor fragment', async () => {
  const part = fc.string({
    unit: fc.constantFrom('a', 'b', ':', '/', '\\', '@', '?', '#', '\t', '%40', 'ü'),
    maxLength: 12,
  })
  const scheme = fc.constantFrom('https:', 's3:', 'gs:', 'vcc:', 'http')
  const property = fc.property(scheme, part, (start, rest) => {
    const shown = show(`${start}//${rest}`)
    const url = URL.parse(shown)
    return url === null || url.username + url.password + url.search + url.hash === ''
  })
  await checkProperty(50_000, property)
})
