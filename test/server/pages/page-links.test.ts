import assert from 'node:assert/strict'
import fc from 'fast-check'
import { t } from 'tap'
import { buildPageLinks } from '../../../server/pages/page-links.ts'
import { checkProperty } from '../../check-property.ts'

const links = buildPageLinks('/v1', 'tiles', 'acme', '/assets')

t.test('addresses are below the roots', async (t) => {
  t.equal(links.home, '/v1/services/tiles/acme/_meta/')
  t.equal(links.openapi, '/v1/services/tiles/acme/_meta/openapi.json')
  t.equal(links.stylesheet, '/assets/web/style.css')
  t.equal(links.repository('era5'), '/v1/services/tiles/acme/_meta/discovery/era5')
  t.equal(links.settings('era5'), '/v1/orgs/acme/repos/era5/settings')
  t.equal(links.ref('era5', 'main'), '/v1/services/tiles/acme/_meta/discovery/era5/main')
  t.equal(links.dataset('era5', 'main', 'wind/speed'), '/v1/services/tiles/acme/_meta/datasets/era5/main/wind/speed')
  t.equal(links.dataset('era5', 'main', ''), '/v1/services/tiles/acme/_meta/datasets/era5/main')
  t.ok(links.repository('\ud800').endsWith('/%EF%BF%BD'))
  t.equal(links.view('era5', 'main', 'wind', 'keys'), '/v1/services/tiles/acme/_meta/datasets/era5/main/wind/keys')
})

t.test('the address of a search has no empty parameters, and encodes each value', async (t) => {
  const query = { q: "it's m/s & K", units: ['K', '', '°C'], before: undefined, time: '' }
  t.equal(links.search(query), '/v1/services/tiles/acme/_meta/search?q=it%27s+m%2Fs+%26+K&units=K&units=%C2%B0C')
  t.equal(links.search(), '/v1/services/tiles/acme/_meta/search')
})

t.test('a group called like a view keeps a page of its own', async (t) => {
  for (const name of ['info', 'keys', 'dict']) {
    t.ok(links.dataset('era5', 'main', name).endsWith(`/main/${name}/`))
    t.ok(links.dataset('era5', 'main', `wind/${name}`).endsWith(`/wind/${name}/`))
    t.ok(links.view('era5', 'main', name, 'info').endsWith(`/${name}/info`))
  }
  t.ok(links.dataset('era5', 'main', 'info/wind').endsWith('/info/wind'))
  t.ok(links.dataset('era5', 'main', 'windinfo').endsWith('/windinfo'))
})

t.test('decoding each segment of an address once gives the names again', async () => {
  const name = fc.string({ unit: 'binary', minLength: 1 })
  const segment = name.filter((text) => !text.includes('/'))
  await checkProperty(
    1_000,
    fc.property(name, name, fc.array(segment, { minLength: 1, maxLength: 4 }), (repo, ref, group) => {
      const address = links.view(repo, ref, group.join('/'), 'dict')
      assert.match(address, /^[\w\-.!~*()%/]+$/)
      const decoded = address.split('/').slice(7).map(decodeURIComponent)
      assert.deepEqual(decoded, [repo, ref, ...group, 'dict'])
    }),
  )
})
