import { t } from 'tap'
import {
  writeCurlSnippet,
  writePythonSnippet,
  writeTypescriptSnippet,
} from '../../../../server/pages/dataset/snippets.ts'
import type { PageSubject } from '../../../../server/pages/page-subject.ts'
import { links, pageSubject } from '../sample-dataset.ts'

const root = { group: '', reader: 'xarray' } as const

t.test('the Python snippet opens the ref by its kind', async (t) => {
  const opened = (kind: 'branch' | 'tag' | 'snapshot', name: string) =>
    writePythonSnippet({ ...pageSubject, ref: { kind, name } }, root)
      .split('\n')
      .at(-2)
  t.equal(opened('branch', 'main'), 'session = repo.readonly_session(branch="main")')
  t.equal(opened('tag', 'v1'), 'session = repo.readonly_session(tag="v1")')
  t.equal(
    opened('snapshot', 'H4SX5TD8QK7J2M9V0WBG'),
    'session = repo.readonly_session(snapshot_id="H4SX5TD8QK7J2M9V0WBG")',
  )
})

t.test('the Python snippet names the storage by the location', async (t) => {
  const storage = (location: string | null) =>
    writePythonSnippet({ ...pageSubject, location }, root)
      .split('\n')
      .find((line) => line.startsWith('storage = '))
      ?.slice('storage = '.length)
  t.equal(storage('s3://b/p/q'), 'icechunk.s3_storage(bucket="b", prefix="p/q", from_env=True)')
  t.equal(storage('gs://b/p/'), 'icechunk.gcs_storage(bucket="b", prefix="p", from_env=True)')
  t.equal(storage('az://c/p'), 'icechunk.azure_storage(account=..., container="c", prefix="p", from_env=True)')
  t.equal(storage('https://example.org/r'), 'icechunk.http_storage("https://example.org/r")')
  t.equal(storage('/data/repos/r'), 'icechunk.local_filesystem_storage("/data/repos/r")')
  t.match(storage(null), /^\.\.\. {2}# the location of the repository/)
})

t.test('the group stands in the snippet unless it is the root', async (t) => {
  t.match(writePythonSnippet(pageSubject, root), 'ds = xr.open_zarr(session.store, consolidated=False)')
  t.match(
    writePythonSnippet(pageSubject, { ...root, group: 'wind/speed' }),
    'ds = xr.open_zarr(session.store, group="wind/speed", consolidated=False)',
  )
  t.match(writeTypescriptSnippet(pageSubject, 'wind'), '{ repo: "era5", ref: "main", group: "wind" }')
  t.match(writeTypescriptSnippet(pageSubject, ''), '{ repo: "era5", ref: "main" }')
})

t.test('names cannot leave their literals', async (t) => {
  const at = { ...pageSubject, ref: { kind: 'branch', name: '")\nimport os\n#' } } as const
  t.match(writePythonSnippet(at, root), '(branch="\\")\\nimport os\\n#")')
  t.match(writeTypescriptSnippet({ ...at, repository: '"}); evil({"' }, ''), 'repo: "\\"}); evil({\\""')
})

t.test('the curl snippet is one address in single quotes', async (t) => {
  t.equal(
    writeCurlSnippet({ ...pageSubject, repository: "it's; rm -rf $HOME `x`" }, 'a b', links),
    `curl --user "acme:$FLOE_API_KEY" \\\n  'https://floe.example.org/v1/services/tiles/acme/_meta/datasets/it%27s%3B%20rm%20-rf%20%24HOME%20%60x%60/main/a%20b/info'`,
  )
})

t.test('a public deployment needs no key', async (t) => {
  const at = { ...pageSubject, deployment: { ...pageSubject.deployment, isPublic: true } }
  t.equal(
    writeCurlSnippet(at, '', links),
    "curl 'https://floe.example.org/v1/services/tiles/acme/_meta/datasets/era5/main/info'",
  )
  t.notMatch(writeTypescriptSnippet(at, ''), 'apiKey')
})

t.test('the Python snippet has what the operator publishes, whoever reads it', async (t) => {
  const storage = (published: PageSubject['published']) =>
    writePythonSnippet({ ...pageSubject, location: null, published }, root)
      .split('\n')
      .find((line) => line.startsWith('storage = '))
      ?.slice('storage = icechunk.'.length)
  const place = { bucket: 'b', prefix: 'p/q' }
  t.equal(
    storage({ storage: 's3', ...place, region: 'eu-north-1', anonymous: true }),
    's3_storage(bucket="b", region="eu-north-1", prefix="p/q", anonymous=True)',
  )
  t.equal(
    storage({ storage: 's3', bucket: 'b', endpoint: 'http://minio.example.org', pathStyle: true, anonymous: false }),
    's3_storage(bucket="b", prefix="", endpoint_url="http://minio.example.org", allow_http=True, force_path_style=True, from_env=True)',
  )
  t.equal(
    storage({ storage: 'gcs', ...place, anonymous: true }),
    'gcs_storage(bucket="b", prefix="p/q", anonymous=True)',
  )
  t.equal(
    storage({ storage: 'azure', account: 'a', container: 'c', anonymous: true }),
    'azure_storage(account="a", container="c", prefix="", anonymous=True)',
  )
  t.equal(storage({ storage: 'http', url: 'https://example.org/r' }), 'http_storage("https://example.org/r")')
})
