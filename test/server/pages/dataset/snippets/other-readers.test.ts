// The code for readers other than those of Icechunk itself.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { parse } from 'yaml'
import { StorageTemplate } from '../../../../../server/catalog/published-storage.ts'
import { writeGdalSnippet } from '../../../../../server/pages/dataset/snippets/gdal-snippet.ts'
import { writeIntakeSnippet } from '../../../../../server/pages/dataset/snippets/intake-snippet.ts'
import type { KnownStorage } from '../../../../../server/pages/dataset/snippets/known-storage.ts'
import { writeViewerAddress } from '../../../../../server/pages/dataset/snippets/viewer-address.ts'
import { findPython } from '../../../../find-python.ts'
import { serveFiles } from '../../../serve-files.ts'
import { fixtures, startServer } from '../../../start-server.ts'
import { findSnippet } from '../../find-snippet.ts'
import { pageSubject } from '../../sample-dataset.ts'

const s3 = {
  storage: 's3',
  bucket: 'b',
  prefix: 'p/q r',
  region: 'eu-north-1',
  endpoint: null,
  path_style: false,
  anonymous: true,
} as const satisfies KnownStorage
const gcs = { storage: 'gcs', bucket: 'b', prefix: 'p', anonymous: true } as const satisfies KnownStorage
const local = { storage: 'local', path: '/data/r' } as const satisfies KnownStorage
const http = { storage: 'http', url: 'https://example.org/r' } as const satisfies KnownStorage
const azure = { storage: 'azure', account: 'a', container: 'c', prefix: 'p', anonymous: true } as const

t.test('GDAL opens branches and tags, with its settings for access', async (t) => {
  const write = (storage: KnownStorage, kind: 'branch' | 'tag' | 'snapshot' = 'branch', name = 'main') =>
    writeGdalSnippet({ ...pageSubject, ref: { kind, name } }, storage)
  t.equal(write(local), "gdal mdim info 'ICECHUNK:/data/r?branch=main'")
  t.equal(write(local, 'tag', 'v1.0'), "gdal mdim info 'ICECHUNK:/data/r?tag=v1.0'")
  t.equal(write(http), "gdal mdim info 'ICECHUNK:/vsicurl/https://example.org/r?branch=main'")
  t.equal(
    write({ ...s3, prefix: 'p/q' }),
    'gdal mdim info --config AWS_REGION=eu-north-1 --config AWS_NO_SIGN_REQUEST=YES ' +
      "'ICECHUNK:/vsis3/b/p/q?branch=main'",
  )
  t.equal(
    write({ ...s3, prefix: '', region: null, endpoint: 'http://minio:9000', path_style: true, anonymous: false }),
    'gdal mdim info --config AWS_S3_ENDPOINT=minio:9000 --config AWS_HTTPS=NO --config AWS_VIRTUAL_HOSTING=FALSE ' +
      "'ICECHUNK:/vsis3/b?branch=main'",
  )
  t.equal(write(gcs), "gdal mdim info --config GS_NO_SIGN_REQUEST=YES 'ICECHUNK:/vsigs/b/p?branch=main'")
  t.equal(write(azure), null)
  t.equal(write(local, 'snapshot', 'H4SX5TD8QK7J2M9V0WBG'), null)
  for (const name of ['a&tag=b', 'a b', "it's", 'a?b']) t.equal(write(local, 'branch', name), null, name)
  t.equal(write({ ...s3, prefix: 'p}' }), null)
})

t.test('viewers in browsers get an address if everyone may read', async (t) => {
  const address = 'https://b.s3.eu-north-1.amazonaws.com/p/q%20r'
  t.equal(writeViewerAddress(s3), address)
  t.equal(writeViewerAddress({ ...s3, bucket: 'a.b' }), 'https://s3.eu-north-1.amazonaws.com/a.b/p/q%20r')
  t.equal(
    writeViewerAddress({ ...s3, endpoint: 'https://minio.example.org', path_style: true, prefix: '' }),
    'https://minio.example.org/b',
  )
  t.equal(writeViewerAddress(gcs), 'https://storage.googleapis.com/b/p')
  t.equal(writeViewerAddress(azure), 'https://a.blob.core.windows.net/c/p')
  t.equal(writeViewerAddress(http), http.url)
  for (const storage of [local, { ...s3, anonymous: false }, { ...s3, region: null }, { ...gcs, anonymous: false }])
    t.equal(writeViewerAddress(storage), null)
})

t.test('the entry of Intake is YAML that names the storage, and is left out for what Intake cannot open', async (t) => {
  const write = (at: object, storage: KnownStorage = s3) =>
    writeIntakeSnippet({ ...pageSubject, ...at }, storage, 'a: b')
  t.match(parse(write({ repository: '# "x"' }) ?? ''), {
    version: 2,
    data: {
      repository: {
        kwargs: {
          url: 's3',
          storage_options: { bucket: 'b', prefix: 'p/q r', region: 'eu-north-1', anonymous: true },
          ref: 'main',
          root: 'a: b',
        },
      },
    },
    entries: { '# "x"': { kwargs: { args: ['{data(repository)}'] } } },
  })
  t.equal(write({ ref: { kind: 'tag', name: 'v1' } }), null)
  t.equal(write({ containers: [{ name: 'c', prefix: 'file:///', store: 'local', anonymous: false }] }), null)
})

const python = findPython('intake, icechunk, xarray')

t.test('Intake opens the entry of a page as pasted', { skip: python.skip }, async (t) => {
  const url = await serveFiles(t, fixtures)
  const published = StorageTemplate.parse({ storage: 'http', url: `${url}/{name}` })
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(fixtures), published }] })
  const page = await (await fetch(`${server.publicMeta}/datasets/weather/main/forecast`)).text()
  const file = `${t.testdir({})}/catalog.yaml`
  await writeFile(file, findSnippet(page, 'Intake'))
  const program =
    'import sys, intake\nprint(sorted(intake.Catalog.from_yaml_file(sys.argv[1])["weather"].read().data_vars))'
  const { stdout } = await promisify(execFile)(python.command, ['-c', program, file], { timeout: 120_000 })
  t.match(stdout, /'temperature'/)
})
