import { basename } from 'node:path'
import { t } from 'tap'
import { canBeScanned, nameLocation } from '../../../../storage/repositories/objects/index.ts'
import { parseLocation } from '../../../../storage/repositories/objects/location.ts'

t.test('a location is a directory, a bucket with a prefix, or an address', async (t) => {
  t.strictSame(parseLocation('./repos'), { kind: 'local', path: './repos' })
  t.strictSame(parseLocation('C:/repos'), { kind: 'local', path: 'C:/repos' })
  t.strictSame(parseLocation('s3://bucket'), { kind: 's3', bucket: 'bucket', prefix: '' })
  t.strictSame(parseLocation('S3://bucket/a b/ü?#%20//'), { kind: 's3', bucket: 'bucket', prefix: 'a b/ü?#%20/' })
  t.strictSame(parseLocation('gs://my_bucket.x/a'), { kind: 'gs', bucket: 'my_bucket.x', prefix: 'a/' })
  t.strictSame(parseLocation('az://$web/a/b'), { kind: 'az', bucket: '$web', prefix: 'a/b/' })
  t.match(parseLocation('https://host/a?b#c'), { kind: 'http', url: { href: 'https://host/a?b' } })
})

t.test('an invalid location is refused without being shown', async (t) => {
  const refused = ['s3://', 's3:///a', 's3://user:hush@bucket/a', 's3://bucket/a//b', 's3://bucket/../b', 'gs://a b/c']
  for (const location of [
    ...refused,
    'https://',
    'https://user:hush@host:port/',
    'ftp://user:hush@host/',
    'file:///tmp',
  ]) {
    t.throws(() => parseLocation(location), { name: 'LocationError', message: /^(?!.*hush)/ }, location)
  }
  t.throws(() => parseLocation('ftp://host'), { message: /^ftp:\/\/ cannot be read; give a directory, s3:\/\// })
})

t.test('a location is named after its last segment', async (t) => {
  const names: Record<string, string> = {
    './repos/era5': 'era5',
    'repos/era5/': 'era5',
    '.': basename(process.cwd()),
    's3://bucket/prefix/era5': 'era5',
    's3://bucket/prefix/a%20b/': 'a%20b',
    'gs://bucket': 'bucket',
    'az://container/era5': 'era5',
    'https://host/repos/a%20b/?sig=hush': 'a b',
    'https://host:8443': 'host:8443',
    'http://host/%zz': '%zz',
  }
  for (const [location, name] of Object.entries(names)) t.equal(nameLocation(location), name, location)
})

t.test('everything but HTTP can be searched for repositories', async (t) => {
  for (const location of ['repos', 's3://bucket', 'gs://bucket/a', 'az://container']) t.ok(canBeScanned(location))
  for (const location of ['http://host/a', 'HTTPS://host/']) t.notOk(canBeScanned(location))
})
