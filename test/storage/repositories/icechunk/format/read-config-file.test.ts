import { DamagedObjectError } from '@floe/storage/icechunk'
import { t } from 'tap'
import { readContainersOfFile } from '../../../../../storage/repositories/icechunk/format/repository/read-config-file.ts'

const damage = (fault: string) => new DamagedObjectError('memory', 'config.yaml', fault)
const read = (text: string) => readContainersOfFile(Buffer.from(text), damage)

const container = (store: string) => `virtual_chunk_containers:\n  a:\n    url_prefix: s3://a/\n    store: ${store}\n`

t.test('a file without containers has none', (t) => {
  for (const text of ['a: 1', 'virtual_chunk_containers: null', 'virtual_chunk_containers: []', container('null')])
    t.strictSame(read(text), [], text)
  t.end()
})

t.test('stores of unknown kinds and entries without an address are left out', (t) => {
  t.strictSame(read(container('!tape {region: a}')), [])
  t.strictSame(read('virtual_chunk_containers: {a: {url_prefix: 1, store: !s3 {}}}'), [])
  t.match(read(container('!s3 {region: a, anonymous: true}')), [{ store: 's3', region: 'a', isAnonymous: true }])
  t.end()
})

t.test('of a key that is there twice, the first counts', (t) => {
  const first = container('!s3 {region: a}')
  t.match(read(`${first}${container('!s3 {region: b}')}`), [{ region: 'a' }])
  t.end()
})

t.test('aliases are not followed, and what is no object is damaged', (t) => {
  const bomb = `a: &a [x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n${container('*c')}`
  t.strictSame(read(bomb), [])
  for (const text of ['', '- a', '[', '['.repeat(65_000)])
    t.throws(() => read(text), /it (?:cannot be parsed as YAML|is not an object in YAML)/, text.slice(0, 9))
  t.end()
})
