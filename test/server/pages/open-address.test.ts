// Where the one address of a repository leads, by what the operator publishes.
import type { PublishedStorage } from '@floe/contract'
import { t } from 'tap'
import { findRedirectTarget } from '../../../server/pages/open-address.ts'

const s3 = {
  storage: 's3',
  bucket: 'acme-open',
  prefix: 'data/weather',
  region: 'eu-north-1',
  endpoint: null,
  path_style: false,
  anonymous: true,
} as const

t.test('an address leads to what anyone may read, in the forms that Icechunk follows', async (t) => {
  const cases: readonly (readonly [PublishedStorage, string])[] = [
    [s3, 's3://acme-open/data/weather?region=eu-north-1'],
    [{ ...s3, prefix: '' }, 's3://acme-open/?region=eu-north-1'],
    [{ storage: 'gcs', bucket: 'acme', prefix: 'weather', anonymous: true }, 'gs://acme/weather'],
    [{ storage: 'http', url: 'https://data.example.org/a%20b' }, 'https+icechunk://data.example.org/a%20b'],
    [{ storage: 'http', url: 'http://localhost:8000/weather' }, 'http+icechunk://localhost:8000/weather'],
  ]
  for (const [published, location] of cases) t.equal(findRedirectTarget(published).location, location)
})

t.test('it says why it cannot lead elsewhere', async (t) => {
  const azure = { storage: 'azure', account: 'acme', container: 'open', prefix: '', anonymous: true } as const
  const cases: readonly (readonly [PublishedStorage | undefined, RegExp])[] = [
    [undefined, /does not publish where/],
    [azure, /Azure: use icechunk.azure_storage/],
    [{ ...s3, anonymous: false }, /credentials: use icechunk.s3_storage/],
    [{ ...s3, region: null }, /region/],
    [{ ...s3, endpoint: 'https://s3.example.org' }, /other than Amazon's/],
    [{ ...s3, prefix: 'a?region=x' }, /prefix a\?region=x/],
    [{ storage: 'gcs', bucket: 'acme', prefix: 'größe', anonymous: true }, /use icechunk.gcs_storage/],
  ]
  for (const [published, reason] of cases) {
    const { location, refusal } = findRedirectTarget(published)
    t.equal(location, null)
    t.match(refusal, reason)
  }
})
