import { t } from 'tap'
import { Config } from '../../../../server/main/configuration/schema.ts'
import { usePlainMessages } from '../../../../server/problems/plain-messages.ts'
import { publishStorage, StorageTemplate } from '../../../../server/catalog/published-storage.ts'
import { openSources, type RepositorySource } from '../../../../server/catalog/sources/open-sources.ts'

usePlainMessages()

const open = (...repositories: RepositorySource[]) => openSources(Config.parse({ orgs: { acme: { repositories } } }))

t.test('repositories may lie anywhere, and come in the order of the configuration', async (t) => {
  const directory = t.testdir({})
  const sources = await open(
    { scan: directory },
    { scan: 's3://bucket/repos', region: 'eu-north-1', anonymous: true },
    { name: 'era5', location: 'https://user:hush@data.example.org/era5/?sig=hush' },
    { name: 'gfs', location: 'az://container/gfs', account: 'acme', anonymous: true },
  )
  t.match(
    [...(sources.get('acme')?.values() ?? [])],
    [
      { kind: 'scan', store: { location: directory, encodesKeys: true } },
      { kind: 'scan', store: { location: 's3://bucket/repos', encodesKeys: false } },
      { kind: 'repository', name: 'era5', store: { location: 'https://data.example.org/era5', encodesKeys: true } },
      { kind: 'repository', name: 'gfs', store: { location: 'az://container/gfs', encodesKeys: true } },
    ],
  )
})

t.test('a place behind HTTP cannot be searched, which is said at the start', async (t) => {
  const message = /^https:\/\/data\.example\.org\/repos cannot be searched for repositories, since HTTP has no listing/
  await t.rejects(open({ scan: 'https://user:hush@data.example.org/repos?sig=hush' }), {
    name: 'LocationError',
    message,
  })
})

t.test('an option that a location does not take stops the start', async (t) => {
  const source = { name: 'era5', location: 'https://data.example.org/era5', region: 'eu-north-1' }
  await t.rejects(open(source), { name: 'LocationError', message: /region is for s3:/ })
})

/** Returns the published storage of each repository of a configuration, or the messages that refuse it. */
function readOpen(source: object): unknown {
  const result = Config.safeParse({ orgs: { acme: { repositories: [source] } } })
  if (result.success) return result.data.orgs['acme']?.repositories.map(({ open }) => open)
  return result.error.issues.map(({ path, message }) => `${path.slice(4).join('.')} ${message}`)
}

t.test('how readers open repositories can be published, never with credentials', async (t) => {
  const place = { name: 'era5', location: 's3://bucket/era5' }
  const given = { storage: 's3', bucket: 'open', prefix: 'era5', region: 'eu-north-1', anonymous: true }
  t.strictSame(readOpen({ ...place, open: given }), [{ ...given, endpoint: null, pathStyle: false }])
  const secret = 'must have no credentials, query or fragment, because every reader sees it'
  const address = 'https://example.org/{name}'
  for (const [member, open] of [
    ['url', { storage: 'http', url: 'https://user:hush@example.org/{name}' }],
    ['url', { storage: 'http', url: `${address}?sig=hush` }],
    ['url', { storage: 'http', url: `${address}#hush` }],
    ['endpoint', { ...given, prefix: '{name}', endpoint: 'https://user:hush@example.org' }],
  ] as const) {
    t.strictSame(readOpen({ ...place, open }), [`open.${member} ${secret}`])
    t.strictSame(readOpen({ scan: 's3://bucket', open }), [`open.${member} ${secret}`])
  }
  t.strictSame(readOpen({ ...place, open: { ...given, access_key_id: 'AKIA' } }), [
    'open has unknown members: access_key_id',
  ])
})

t.test('the storage of scanned repositories contains their names', async (t) => {
  const readScan = (open: object) => readOpen({ scan: 's3://bucket', open })
  const bucket = { storage: 'gcs', bucket: 'open' }
  t.strictSame(readScan({ ...bucket, prefix: 'data/{name}' }), [{ ...bucket, prefix: 'data/{name}', anonymous: false }])
  t.match(readScan({ ...bucket, prefix: 'data' }), ['open must contain {name}, which stands for the name'])
  const known = 'must not contain { or } except in {name}'
  t.strictSame(readScan({ ...bucket, prefix: 'data/{repo}/{name}' }), [`open.prefix ${known}`])
  t.strictSame(readScan({ ...bucket, bucket: '{name}}' }), [`open.bucket ${known}`])
  t.strictSame(readScan({ storage: 's3', bucket: '{name}', region: '{name}' }), ['open.region must not contain { or }'])
  t.strictSame(readScan({ storage: 'http', url: 'https://{name}.example.org/' }), [
    'open.url must have {name} only in its path',
  ])
})

t.test('names of repositories are inserted as they are, and encoded into addresses', async (t) => {
  const s3 = StorageTemplate.parse({ storage: 's3', bucket: 'open', prefix: '{name}/of/{name}', pathStyle: true })
  t.strictSame(publishStorage(s3, "a$& b#é'"), {
    storage: 's3',
    bucket: 'open',
    prefix: "a$& b#é'/of/a$& b#é'",
    region: null,
    endpoint: null,
    path_style: true,
    anonymous: false,
  })
  const azure = StorageTemplate.parse({ storage: 'azure', account: 'acme', container: 'c-{name}', anonymous: true })
  t.strictSame(publishStorage(azure, 'x'), {
    storage: 'azure',
    account: 'acme',
    container: 'c-x',
    prefix: '',
    anonymous: true,
  })
  const http = StorageTemplate.parse({ storage: 'http', url: 'https://example.org/{name}/icechunk' })
  t.strictSame(publishStorage(http, 'a b/?#%é'), {
    storage: 'http',
    url: 'https://example.org/a%20b%2F%3F%23%25%C3%A9/icechunk',
  })
})

t.test('headers of a location are checked, and no message repeats a value', (t) => {
  const read = (headers: object) => {
    const source = { name: 'era5', location: 'https://data.example.org/era5', headers }
    const result = Config.safeParse({ orgs: { acme: { repositories: [source] } } })
    return result.success ? [] : result.error.issues.map(({ path, message }) => [...path.slice(4), message].join(': '))
  }
  t.strictSame(read({ Authorization: 'Bearer hush', 'X-Api-Key': 'hush' }), [])
  for (const [headers, message] of [
    [{ Range: 'hush' }, 'headers: Range: is a header that Floe or the connection sets'],
    [{ 'If-None-Match': 'hush' }, 'headers: If-None-Match: is a header that Floe or the connection sets'],
    [{ 'a b': 'hush' }, 'headers: a b: is not the name of a header'],
    [
      { 'X-Key': 'hush\r\nhush: hush' },
      'headers: X-Key: must be visible ASCII characters, with spaces only between them',
    ],
    [{ 'X-Key': 'hush', 'x-key': 'hush' }, 'headers: has a header twice; upper and lower case mean the same'],
    [
      Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-${index}`, 'hush'])),
      'headers: must have at most 10 headers',
    ],
  ] as const)
    t.strictSame(read(headers), [message])
  t.end()
})
