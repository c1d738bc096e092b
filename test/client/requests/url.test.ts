import { contract, listRoutes } from '@floe/contract'
import fc from 'fast-check'
import { t } from 'tap'
import { formatAddress } from '../../../client/requests/url.ts'
import { checkProperty } from '../../check-property.ts'

const root = 'https://floe.example.org'
const service = { deployment: 'tiles', org: 'acme' }
const { groupInfo } = contract.datasets

/** Any name that an address can contain. */
const name = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text !== '.' && text !== '..')
const groupSegment = name.filter((text) => !text.includes('/') && text !== '')

t.test('decoding each segment of the address once gives the names', async () => {
  await checkProperty(
    1_000,
    fc.property(name, name, fc.array(groupSegment, { minLength: 1 }), (repo, ref, segments) => {
      const names = { ...service, repo, ref, group: segments.join('/') }
      const { pathname, search, hash } = new URL(formatAddress(root, groupInfo.path, names).href)
      const decoded = pathname.split('/').map(decodeURIComponent)
      const expected = ['', 'v1', 'services', 'tiles', 'acme', '_meta', 'datasets', repo, ref, ...segments, 'info']
      return JSON.stringify(decoded) === JSON.stringify(expected) && search === '' && hash === ''
    }),
  )
})

t.test('parsing the query gives the parameters', async () => {
  await checkProperty(
    1_000,
    fc.property(fc.string({ unit: 'binary' }), (group) => {
      const url = formatAddress(root, contract.discovery.repositories.path, service, { group })
      return new URL(url.href).searchParams.get('group') === group
    }),
  )
})

t.test('a slash at the beginning or end of a group is left out', async (t) => {
  const names = { ...service, repo: 'weather', ref: 'main' }
  for (const group of ['names/info', '/names/info', 'names/info/', '/names/info/']) {
    const { pathname } = formatAddress(root, groupInfo.path, { ...names, group })
    t.equal(pathname, '/v1/services/tiles/acme/_meta/datasets/weather/main/names/info/info', group)
  }
})

t.test('the root group has the address without a group', async (t) => {
  const names = { ...service, repo: 'weather', ref: 'main' }
  for (const group of [undefined, '', '/']) {
    const { pathname } = formatAddress(root, groupInfo.path, { ...names, group })
    t.equal(pathname, '/v1/services/tiles/acme/_meta/datasets/weather/main/info', `${group}`)
  }
})

t.test('every path of the contract is filled completely', async (t) => {
  const names = {
    ...service,
    repo: 'r',
    ref: 'main',
    group: 'g',
    id: 'i',
    code: 'c',
    from: 'a',
    to: 'b',
    page: '2',
    name: 'n',
  }
  for (const [id, route] of listRoutes(contract)) {
    t.notMatch(formatAddress(root, route.path, names).href.slice(root.length), /:|%3A/, id)
  }
})

t.test('names that no address can contain are refused', async (t) => {
  const names = { ...service, repo: 'weather', ref: 'main', group: 'wind/speed' }
  const refused = {
    empty: [{ repo: '' }, { ref: '' }, { group: '//wind' }, { group: 'wind//' }, { group: 'a//b' }],
    dots: [{ repo: '.' }, { ref: '..' }, { group: '..' }, { group: 'a/../b' }, { group: 'a/.' }],
    surrogate: [{ repo: '\ud800' }, { ref: 'a\udc00' }, { group: 'a/\ud83d' }],
    missing: [{ repo: undefined }, { ref: undefined }],
  }
  for (const [why, changes] of Object.entries(refused)) {
    for (const change of changes) {
      t.throws(
        () => formatAddress(root, groupInfo.path, { ...names, ...change }),
        { name: 'TypeError', message: new RegExp(`^${Object.keys(change)[0]} `) },
        `${why} ${JSON.stringify(change)}`,
      )
    }
  }
  t.throws(() => formatAddress(root, groupInfo.path, names, { group: '\ud800' }), { name: 'TypeError' })
})
