import { defaultLimits } from '@floe/storage/icechunk'
import { t } from 'tap'
import { readMetadata, writeMetadata } from '../../../server/groups/repository-metadata.ts'
import { openRepoObject } from '../../storage/repositories/icechunk/format/open-repo-object.ts'
import { buildRepo, type RepoDescription } from '../../storage/repositories/icechunk/build-object.ts'

const open = async (metadata: RepoDescription['metadata'], hasStatus = true) =>
  openRepoObject(buildRepo({ hasStatus, ...(metadata && { metadata }) }), defaultLimits)

t.test('the metadata is written in its order; without any, nothing is', async (t) => {
  const written = writeMetadata(await open({ a: 'Größe "\0', title: 'Ice' })) ?? ''
  t.strictSame(
    [...readMetadata(written)],
    [
      ['a', 'Größe "\0'],
      ['title', 'Ice'],
    ],
  )
  t.notMatch(written, '\0', 'PostgreSQL refuses this character')
  t.equal(writeMetadata(await open({})), undefined)
})

t.test('metadata that cannot be read states nothing', async (t) => {
  t.equal(writeMetadata(await open({ title: 'Ice' }, false)), undefined)
})

t.test('long texts are cut, and what does not fit is left out', async (t) => {
  const long = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, name.repeat(6_000)]))
  const written = writeMetadata(await open({ ...long, title: 'Ice' })) ?? ''
  t.ok(written.length <= 20_000)
  const metadata = readMetadata(written)
  t.strictSame([...metadata.keys()], ['a', 'b', 'c', 'title'])
  t.equal(metadata.get('a'), `${'a'.repeat(4_999)}…`)
})
