import { dropSecrets } from '@floe/storage/database'
import { t } from 'tap'
import {
  dropsStoredSecrets,
  findMissingValues,
  makeBody,
  makeNewValues,
  makeSigningSecret,
  pickChanges,
  readValues,
} from '../../../../server/settings/receivers/form-values.ts'
import { listDifferences } from '../../../../server/settings/hooks/use-form-values.ts'
import { exampleWebhook } from './example-webhook.ts'

t.test('each line of a field is a pattern, whatever it contains', async (t) => {
  const values = {
    ...makeNewValues('webhook', 'repository'),
    branches: ' main \n\nrelease/*\r\n',
    paths: 'sea ice/area, total',
  }
  t.match(makeBody('webhook', values), { branches: ['main', 'release/*'], paths: ['sea ice/area, total'] })
})

t.test('a new webhook asks for what receivers get by default, unless it is changed', async (t) => {
  t.match(makeBody('webhook', makeNewValues('webhook', 'repository')), {
    events: ['NewCommit'],
    branches: ['main'],
    paths: ['**'],
    include_changes: false,
  })
  t.notHas(makeBody('chat', makeNewValues('chat', 'repository')), { include_changes: false })
})

t.test('a saved filter is shown, and only what was changed is sent', async (t) => {
  const branches = ['main', 'release/*']
  const values = readValues(exampleWebhook({ branches, paths: ['a, b'], include_changes: true }))
  t.match(values, { branches: 'main\nrelease/*', paths: 'a, b', include_changes: true })
  t.strictSame(listDifferences(values, { ...values }), [])
  const changed = makeBody('webhook', { ...values, branches: 'main\nrelease/*\ndev', include_changes: false })
  t.strictSame(pickChanges(changed, makeBody('webhook', values)), {
    branches: [...branches, 'dev'],
    include_changes: false,
  })
})

t.test('all kinds of expectations are sent as null, which stands for later ones too', async (t) => {
  const values = readValues(exampleWebhook({ events: ['ExpectationUnmet'] }))
  t.match(makeBody('webhook', values), { kinds: null })
  t.match(makeBody('webhook', { ...values, kinds: ['contract'] }), { kinds: ['contract'] })
  t.hasOwnProps(findMissingValues({ ...values, kinds: [] }, false), ['kinds'])
})

t.test('only a receiver of an organisation has patterns of repositories, at first of all', async (t) => {
  t.notHas(makeBody('webhook', makeNewValues('webhook', 'repository')), { repos: ['**'] })
  t.match(makeBody('webhook', makeNewValues('webhook', 'organisation')), { repos: ['**'] })
  const saved = readValues({ ...exampleWebhook(), repos: ['forecast-*', 'ocean'] })
  t.equal(saved.repos, 'forecast-*\nocean')
  const changed = { ...saved, repos: ' ocean \n' }
  t.strictSame(pickChanges(makeBody('webhook', changed), makeBody('webhook', saved)), { repos: ['ocean'] })
  t.hasOwnProps(findMissingValues({ ...saved, repos: '\n' }, false), ['repos'])
})

t.test('the search of a receiver of an organisation is the query of a search page', async (t) => {
  t.equal(readValues(exampleWebhook()).search, undefined, 'of a repository')
  t.match(makeBody('chat', makeNewValues('chat', 'organisation')), { search: null })
  const search = { q: 'sea ice', units: ['K', 'm s-1'], bbox: '-25,34,45,72', attribute: ['a=b&c'] }
  const saved = readValues({ ...exampleWebhook(), repos: ['**'], search })
  t.match(makeBody('webhook', saved), { search })
  t.equal(readValues({ ...exampleWebhook(), repos: ['**'], search: null }).search, '')
  const address = ' https://floe.example.org/v1/services/a/b/_meta/search?q=wind&repo=x&sort=changed&units=&limit=5 '
  t.strictSame(makeBody('webhook', { ...saved, search: address }).search, { q: 'wind', repo: ['x'] })
})

t.test('a search is read whole, or not at all', async (t) => {
  const saved = readValues({ ...exampleWebhook(), repos: ['**'], search: null })
  const searches = {
    'q=wind?': { q: 'wind?' },
    '?q=wind': { q: 'wind' },
    '/v1/services/a/b/_meta/search?q=a?b': { q: 'a?b' },
    'https://floe.example.org/search?q=wind&units=K#results': { q: 'wind', units: ['K'] },
    'q=a#b': { q: 'a#b' },
  }
  for (const [search, read] of Object.entries(searches)) {
    t.strictSame(makeBody('webhook', { ...saved, search }).search, read, search)
    t.strictSame(findMissingValues({ ...saved, search }, false), {}, search)
  }
  for (const search of ['temperature', 'temperature units:K', 'temperature&units=K', 'limit=5', 'https://a.example/?'])
    t.hasOwnProps(findMissingValues({ ...saved, search }, false), ['search'], search)
  t.strictSame(findMissingValues({ ...saved, search: ' ' }, false), {}, 'all commits')
})

t.test('a field without a pattern is missing', async (t) => {
  const values = { ...makeNewValues('chat', 'repository'), url: 'https://chat.example.org/hook', alias: 'team' }
  t.strictSame(findMissingValues(values, false), {})
  t.hasOwnProps(findMissingValues({ ...values, branches: ' \n', paths: '' }, false), ['branches', 'paths'])
})

// The page warns before it saves. It has the rule a second time, because a browser cannot load code of the database.
t.test('the form and the service agree on when a Secret Token and headers are dropped', async (t) => {
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
    t.equal(dropsStoredSecrets(url, saved), isDropped, url)
    const before = { url: saved, secretToken: 'sealed', headers: { Authorization: 'sealed' } }
    t.strictSame(dropSecrets(before, { url }), isDropped ? { secretToken: null, headers: {} } : {}, url)
  }
})

t.test('headers are lines of names and values', async (t) => {
  const values = { ...makeNewValues('webhook', 'repository'), url: 'https://example.org/', alias: 'a' }
  t.match(makeBody('webhook', values), { headers: {} })
  const typed = (headerLines: string) => ({ ...values, headers: 'replace' as const, headerLines })
  t.match(makeBody('webhook', typed(' Authorization: Basic dXNlcjpwYXNz\n\nX-Url:https://a:1/\r\n')), {
    headers: { Authorization: 'Basic dXNlcjpwYXNz', 'X-Url': 'https://a:1/' },
  })
  for (const wrong of ['', 'Authorization', 'Authorization:', ': x', 'a: x\na: y'])
    t.hasOwnProps(findMissingValues(typed(wrong), false), ['headers'], wrong)
  t.strictSame(findMissingValues(typed('a: x'), false), {})
  const stored = readValues(exampleWebhook({ header_names: ['Authorization'] }))
  t.notHas(makeBody('webhook', stored), { headers: {} }, 'those that are kept are not sent')
  t.match(makeBody('webhook', { ...stored, headers: 'none' }), { headers: {} })
})

t.test('each signing secret of the form is a new one of 32 bytes', async (t) => {
  const secrets = Array.from({ length: 9 }, makeSigningSecret)
  t.equal(new Set(secrets).size, 9)
  for (const secret of secrets) t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
})
