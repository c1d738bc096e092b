import { t } from 'tap'
import { Config } from '../../../server/main/configuration/schema.ts'
import { openSources, type RepositorySource } from '../../../server/catalog/open-sources.ts'

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

t.test('how readers open a repository can be published, never with credentials', async (t) => {
  const published = { storage: 's3', bucket: 'open', prefix: 'era5', region: 'eu-north-1', anonymous: true } as const
  const sources = await open({ name: 'era5', location: 's3://bucket/era5', open: published })
  t.match([...(sources.get('acme')?.values() ?? [])], [{ kind: 'repository', name: 'era5', published }])
  for (const refused of [
    { storage: 's3', bucket: 'open', access_key_id: 'AKIA' },
    { storage: 'http', url: 'https://user:hush@example.org/era5' },
    { storage: 'http', url: 'https://example.org/era5?sig=hush' },
  ]) {
    const repositories = [{ name: 'era5', location: 's3://bucket/era5', open: refused }]
    t.equal(Config.safeParse({ orgs: { acme: { repositories } } }).success, false, JSON.stringify(refused))
  }
})
