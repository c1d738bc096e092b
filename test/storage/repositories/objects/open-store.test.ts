import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { t } from 'tap'
import { openAzureStore } from '../../../../storage/repositories/objects/stores/azure-store.ts'
import { importSdk } from '../../../../storage/repositories/objects/stores/import-sdk.ts'
import { openStore } from '../../../../storage/repositories/objects/index.ts'

t.test('a location is shown without its secrets', async (t) => {
  const shown: Record<string, string> = {
    'https://user:hush@host:8443/repos/era5/?sig=hush#hush': 'https://host:8443/repos/era5',
    'http://host': 'http://host',
    's3://bucket/repos/era5/': 's3://bucket/repos/era5',
    's3://bucket': 's3://bucket',
    'gs://bucket/era5': 'gs://bucket/era5',
  }
  for (const [location, text] of Object.entries(shown)) t.equal((await openStore(location)).location, text)
  t.equal((await openStore('s3://bucket/repos')).below('a b/').location, 's3://bucket/repos/a b')
})

t.test('a directory must exist', async (t) => {
  await t.rejects(openStore('./nowhere'), { name: 'LocationError', message: './nowhere is not a directory' })
})

t.test('a directory that cannot be accessed is not reported as missing', async (t) => {
  const link = join(t.testdir({}), 'link')
  symlinkSync('link', link)
  await t.rejects(openStore(link), { name: 'LocationError', message: `${link} cannot be read (ELOOP)` })
})

t.test('an option that belongs to another kind of location is refused', async (t) => {
  const directory = t.testdir({})
  await t.rejects(openStore(directory, { region: 'eu-west-1' }), {
    name: 'LocationError',
    message: /region is for s3:/,
  })
  await t.rejects(openStore('https://host/', { anonymous: true }), { message: /s3:\/\/ and gs:\/\/ and az:\/\// })
  await t.rejects(openStore('gs://bucket', { pathStyle: false }), { message: /pathStyle is for s3:/ })
  await t.rejects(openStore('s3://bucket', { account: 'acme' }), { message: /account is for az:/ })
  await t.rejects(openStore('s3://bucket', { headers: { 'X-Key': 'hush' } }), {
    message: 'headers is for http:// locations only',
  })
  await t.resolves(openStore(directory, { region: undefined }))
})

t.test('the error names the package that is not installed and how to install it', async (t) => {
  const name = '@floe/not-installed'
  await t.rejects(
    importSdk(name, () => import(name)),
    { name: 'LocationError', message: /npm install @floe\/not-installed$/ },
  )
  await t.rejects(
    importSdk('other', () => import(name)),
    { code: 'ERR_MODULE_NOT_FOUND' },
    'if another package is missing, the error is not explained',
  )
})

t.test('Azure needs an account and credentials, from the usual variables', async (t) => {
  const container = { kind: 'az', bucket: 'container', prefix: 'a/' } as const
  const key = Buffer.from('hush').toString('base64')
  const connection = `DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=${key}`
  const good: [object, Record<string, string>][] = [
    [{}, { AZURE_STORAGE_CONNECTION_STRING: `${connection};EndpointSuffix=core.windows.net` }],
    [{}, { AZURE_STORAGE_ACCOUNT_NAME: 'acme', AZURE_STORAGE_ACCOUNT_KEY: key }],
    [{}, { AZURE_STORAGE_ACCOUNT_NAME: 'acme', AZURE_STORAGE_SAS_TOKEN: '?sv=1&sig=hush' }],
    [{ account: 'other' }, { AZURE_STORAGE_ACCOUNT_NAME: 'acme', AZURE_STORAGE_SAS_TOKEN: 'sv=1&sig=hush' }],
    [{ account: 'acme', anonymous: true }, {}],
  ]
  for (const [options, environment] of good) {
    t.equal((await openAzureStore(container, options, environment)).location, 'az://container/a')
  }
  const bad: [object, Record<string, string>, RegExp][] = [
    [{}, {}, /needs the name of a storage account: account, or AZURE_STORAGE_ACCOUNT_NAME/],
    [{ account: 'acme.evil.example' }, { AZURE_STORAGE_ACCOUNT_KEY: key }, /needs the name of a storage account/],
    [{ account: 'acme' }, {}, /needs AZURE_STORAGE_ACCOUNT_KEY, AZURE_STORAGE_SAS_TOKEN or/],
    [{}, { AZURE_STORAGE_CONNECTION_STRING: 'hush' }, /AZURE_STORAGE_CONNECTION_STRING is not valid/],
  ]
  for (const [options, environment, message] of bad) {
    await t.rejects(openAzureStore(container, options, environment), { name: 'LocationError', message })
  }
})
