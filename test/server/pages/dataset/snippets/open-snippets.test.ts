import { t } from 'tap'
import {
  writeInspectSnippet,
  writePythonSnippet,
  writeZarritaSnippet,
} from '../../../../../server/pages/dataset/snippets/open-snippets.ts'
import { findStorage } from '../../../../../server/pages/dataset/snippets/known-storage.ts'
import type { PageSubject } from '../../../../../server/pages/page-subject.ts'
import { pageSubject } from '../../sample-dataset.ts'

const root = { group: '', reader: 'xarray' } as const

/** Returns what a snippet gives as the storage. */
function findStorageLine(snippet: string): string | undefined {
  const line = snippet.split('\n').find((line) => /^(?:const )?storage = /.test(line))
  return line?.replace(/^.*?storage = /, '')
}

const writePython = (at: Partial<PageSubject>) => writePythonSnippet({ ...pageSubject, ...at }, root)

function writeWithStorage(write: typeof writeZarritaSnippet, at: Partial<PageSubject>, group = ''): string {
  const subject = { ...pageSubject, ...at }
  const storage = findStorage(subject)
  return storage === null ? '' : write(subject, storage, group)
}

t.test('the Python snippet opens the ref by its kind', async (t) => {
  const opened = (kind: 'branch' | 'tag' | 'snapshot', name: string) =>
    writePython({ ref: { kind, name } }).split('\n').at(-2)
  t.equal(opened('branch', 'main'), 'session = repo.readonly_session(branch="main")')
  t.equal(opened('tag', 'v1'), 'session = repo.readonly_session(tag="v1")')
  t.equal(
    opened('snapshot', 'H4SX5TD8QK7J2M9V0WBG'),
    'session = repo.readonly_session(snapshot_id="H4SX5TD8QK7J2M9V0WBG")',
  )
})

t.test('the snippets open the location, for those who may see it', async (t) => {
  const open = (location: string) => [
    findStorageLine(writePython({ location })),
    findStorageLine(writeWithStorage(writeZarritaSnippet, { location })),
    writeWithStorage(writeInspectSnippet, { location }),
  ]
  t.strictSame(open('s3://b/p/q'), [
    'icechunk.s3_storage(bucket="b", prefix="p/q", from_env=True)',
    `Storage.newS3("b", "p/q", { type: 'FromEnv' })`,
    'npx floe inspect s3://b/p/q main',
  ])
  t.strictSame(open('gs://b/p/'), [
    'icechunk.gcs_storage(bucket="b", prefix="p", from_env=True)',
    `Storage.newGcs("b", "p", { type: 'FromEnv' })`,
    'npx floe inspect gs://b/p main',
  ])
  t.strictSame(open('az://c/p'), [
    'icechunk.azure_storage(account="...", container="c", prefix="p", from_env=True)',
    `await Storage.newAzureBlob("...", "c", "p", { type: 'FromEnv' })`,
    'AZURE_STORAGE_ACCOUNT_NAME=... npx floe inspect az://c/p main',
  ])
  t.strictSame(open('https://example.org/r'), [
    'icechunk.http_storage("https://example.org/r")',
    'Storage.newHttp("https://example.org/r")',
    'npx floe inspect https://example.org/r main',
  ])
  t.strictSame(open('/data/repos/r'), [
    'icechunk.local_filesystem_storage("/data/repos/r")',
    'await Storage.newLocalFilesystem("/data/repos/r")',
    'npx floe inspect /data/repos/r main',
  ])
})

t.test('for those who must not see it, Python has a gap, and the others are left out', async (t) => {
  t.match(findStorageLine(writePython({ location: null })), /^\.\.\. {2}# the location of the repository/)
  t.equal(findStorage({ ...pageSubject, location: null }), null)
})

t.test('the snippets have what the operator publishes, for every reader', async (t) => {
  const open = (published: PageSubject['published']) => {
    const at = { location: null, published }
    return [
      findStorageLine(writePython(at)),
      findStorageLine(writeWithStorage(writeZarritaSnippet, at)),
      writeWithStorage(writeInspectSnippet, at),
    ]
  }
  const bucket = { bucket: 'b', prefix: 'p/q' }
  const s3 = { storage: 's3', region: null, endpoint: null, path_style: false } as const
  t.strictSame(open({ ...s3, ...bucket, region: 'eu-north-1', anonymous: true }), [
    'icechunk.s3_storage(bucket="b", region="eu-north-1", prefix="p/q", anonymous=True)',
    `Storage.newS3("b", "p/q", { type: 'Anonymous' }, { region: "eu-north-1" })`,
    'npx floe inspect --region=eu-north-1 --anonymous s3://b/p/q main',
  ])
  const endpoint = 'http://minio.example.org'
  t.strictSame(open({ ...s3, bucket: 'b', prefix: '', endpoint, path_style: true, anonymous: false }), [
    'icechunk.s3_storage(bucket="b", prefix="", endpoint_url="http://minio.example.org", allow_http=True, ' +
      'force_path_style=True, from_env=True)',
    `Storage.newS3("b", "", { type: 'FromEnv' }, { endpointUrl: "http://minio.example.org", allowHttp: true, ` +
      'forcePathStyle: true })',
    'npx floe inspect --endpoint=http://minio.example.org s3://b/ main',
  ])
  t.strictSame(open({ storage: 'gcs', ...bucket, anonymous: true }), [
    'icechunk.gcs_storage(bucket="b", prefix="p/q", anonymous=True)',
    `Storage.newGcs("b", "p/q", { type: 'Anonymous' })`,
    'npx floe inspect --anonymous gs://b/p/q main',
  ])
  t.strictSame(open({ storage: 'azure', account: 'a', container: 'c', prefix: '', anonymous: true }), [
    'icechunk.azure_storage(account="a", container="c", prefix="", anonymous=True)',
    `await Storage.newAzureBlob("a", "c", "", { type: 'Anonymous' })`,
    'AZURE_STORAGE_ACCOUNT_NAME=a npx floe inspect --anonymous az://c/ main',
  ])
  t.strictSame(open({ storage: 'http', url: 'https://example.org/r' }), [
    'icechunk.http_storage("https://example.org/r")',
    'Storage.newHttp("https://example.org/r")',
    'npx floe inspect https://example.org/r main',
  ])
})

t.test('the snippets name the group unless it is the root', async (t) => {
  t.match(writePython({}), 'ds = xr.open_zarr(session.store, consolidated=False)')
  t.match(
    writePythonSnippet(pageSubject, { ...root, group: 'wind/speed' }),
    'ds = xr.open_zarr(session.store, group="wind/speed", consolidated=False)',
  )
  t.match(writeWithStorage(writeZarritaSnippet, {}), 'new zarr.Location(session.store, "/")')
  t.match(writeWithStorage(writeZarritaSnippet, {}, 'wind/speed'), 'new zarr.Location(session.store, "/wind/speed")')
  t.match(writeWithStorage(writeZarritaSnippet, {}, 'a b#"%/é'), 'new zarr.Location(session.store, "/a b%23\\"%25/é")')
  t.match(writeWithStorage(writeInspectSnippet, {}, 'wind/speed'), 'npx floe inspect --group=wind/speed s3://')
})

t.test('names cannot leave their literals', async (t) => {
  const ref = { kind: 'branch', name: '")\nimport os\n#' } as const
  t.match(writePython({ ref }), '(branch="\\")\\nimport os\\n#")')
  t.match(writeWithStorage(writeZarritaSnippet, { ref }), '{ branch: "\\")\\nimport os\\n#" }')
  const at = { location: "/data/it's $HOME", ref: { kind: 'branch', name: '-x; `id`' } } as const
  t.equal(
    writeWithStorage(writeInspectSnippet, at, '--json'),
    "npx floe inspect --group=--json -- '/data/it'\\''s $HOME' '-x; `id`'",
  )
})

t.test('containers of a repository that is read without credentials are read without credentials', async (t) => {
  const containers = [{ prefix: 's3://b/', store: 's3', region: null, anonymous: false }] as const
  const published = { storage: 'gcs', bucket: 'b', prefix: '', anonymous: true } as const
  t.match(writePython({ containers, published }), '"s3://b/": icechunk.s3_credentials(anonymous=True),')
  t.match(
    writePython({ containers, published: { ...published, anonymous: false } }),
    '"s3://b/": icechunk.s3_credentials(from_env=True),',
  )
  const url = 'https://example.org/r'
  t.match(
    writePython({ containers, published: { storage: 'http', url } }),
    '"s3://b/": icechunk.s3_credentials(anonymous=True),',
  )
})
