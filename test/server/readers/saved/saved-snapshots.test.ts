import { copyFileSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeSnapshot, defaultLimits, type ReaderLimits, type Snapshot } from '@floe/storage/icechunk'
import type { Test } from 'tap'
import { t } from 'tap'
import type { SavedKey } from '../../../../server/readers/saved/saved-file.ts'
import { SavedSnapshots } from '../../../../server/readers/saved/saved-snapshots.ts'
import { buildId, buildNode, buildSnapshot } from '../../../storage/icechunk/build-object.ts'

const id = buildId(1)
const key: SavedKey = { repository: 'one at /data/one', id }
const datasets = Buffer.from('["wind","wind/deep"]')
const sizes = { minSnapshot: 0, maxTotal: 2_000_000 }

/** Documents that do not compress, so that the groups take several blocks. */
function writeDocument(seed: number, length: number): Uint8Array {
  const bytes = Buffer.alloc(length)
  let state = seed
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[at] = state >>> 16
  }
  return bytes
}

const described = ['/', '/a', '/a/x', '/wind', '/wind/deep', '/wind/deep/t', '/wind/speed', '/wind-2'].map(
  (path, index) => ({ path, kind: /x|t$|speed/.test(path) ? 1 : 2, document: writeDocument(index, 100_000) }),
)

function read(limits = defaultLimits): Promise<Snapshot> {
  const nodes = described.map(({ path, kind, document }) => buildNode(path, kind, document))
  return decodeSnapshot({ repository: 'one', key: 'snapshots/1', bytes: buildSnapshot({ nodes }) }, id, limits)
}

function open(directory: string, limits: ReaderLimits = defaultLimits) {
  return new SavedSnapshots(directory, limits, sizes)
}

/** A directory with the saved snapshot. */
async function saveOne(t: Test) {
  const directory = join(t.testdir(), 'snapshots')
  const snapshot = await read()
  await open(directory).save(key, snapshot, () => datasets)
  const [name = ''] = readdirSync(directory)
  return { directory, snapshot, path: join(directory, name) }
}

t.test('a saved snapshot has the list of datasets, and each group with what lies directly in it', async (t) => {
  const { directory, snapshot } = await saveOne(t)
  const saved = open(directory)
  t.same(await saved.readDatasets(key), datasets)
  for (const { path } of [...snapshot.nodes].filter(({ kind }) => kind === 'group')) {
    const group = await saved.readGroup(key, path)
    t.equal(group?.id, id)
    t.strictSame(group?.nodes.find(path), snapshot.nodes.find(path))
    t.strictSame(group?.nodes.listChildren(path), snapshot.nodes.listChildren(path))
    t.equal(group?.nodes.length, 1 + snapshot.nodes.listChildren(path).length)
  }
})

t.test('what is not saved is not found', async (t) => {
  const { directory } = await saveOne(t)
  const saved = open(directory)
  for (const group of ['nowhere', 'A', 'a/x', 'wind/', 'zzz']) t.equal(await saved.readGroup(key, group), undefined)
  t.equal(await saved.readDatasets({ ...key, id: buildId(2) }), undefined)
  t.equal(await saved.readDatasets({ ...key, repository: 'two at /data/one' }), undefined)
  t.ok(await saved.readDatasets(key), 'the file is still there')
  t.equal(await open(join(directory, 'nowhere')).readDatasets(key), undefined)
})

t.test('a small snapshot is not saved, and a saved one is not written again', async (t) => {
  const directory = join(t.testdir(), 'snapshots')
  const snapshot = await read()
  await new SavedSnapshots(directory, defaultLimits).save(key, snapshot, () => datasets)
  t.throws(() => readdirSync(directory), { code: 'ENOENT' })
  await open(directory).save(key, snapshot, () => datasets)
  await open(directory).save(key, snapshot, () => t.fail('it is saved already') as never)
})

t.test('only the owner can read the files, and nothing unfinished is left', async (t) => {
  const { directory, path } = await saveOne(t)
  t.equal(statSync(directory).mode & 0o777, 0o700)
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.match(readdirSync(directory), [/^[0-9a-f]{64}$/])
})

t.test('a damaged file is never believed, and is replaced', async (t) => {
  const { directory, path, snapshot } = await saveOne(t)
  const whole = readFileSync(path)
  const isRight = async () => {
    const saved = open(directory)
    const list = await saved.readDatasets(key)
    const group = await saved.readGroup(key, 'wind')
    t.same(list ?? datasets, datasets)
    t.strictSame(
      group?.nodes.listChildren('wind') ?? snapshot.nodes.listChildren('wind'),
      snapshot.nodes.listChildren('wind'),
    )
    return list !== undefined && group !== undefined
  }
  const damages = [
    ...Array.from({ length: 60 }, (_, index) => {
      const position = Math.floor((index * whole.length) / 60)
      return whole.with(position, (whole[position] ?? 0) ^ 0xff)
    }),
    ...Array.from({ length: 40 }, (_, index) => whole.with(-1 - index, (whole.at(-1 - index) ?? 0) ^ 1)),
    ...[0, 1, 11, 12, 40, whole.length - 1].map((length) => whole.subarray(0, length)),
    Buffer.concat([whole, Buffer.from('x')]),
  ]
  let unread = 0
  for (const bytes of damages) {
    writeFileSync(path, bytes)
    if (!(await isRight())) unread++
    await open(directory).save(key, snapshot, () => datasets)
    if (unread > 0) t.ok(readdirSync(directory).length === 1)
  }
  t.ok(unread > 50, `${unread} of ${damages.length} files were not used`)
  writeFileSync(path, '')
  t.notOk(await isRight())
  await open(directory).save(key, snapshot, () => datasets)
  t.ok(await isRight())
})

t.test('the file of another snapshot is not believed', async (t) => {
  const { directory, path, snapshot } = await saveOne(t)
  const other = { ...key, repository: 'two at /data/one' }
  await open(directory).save(other, snapshot, () => Buffer.from('["secret"]'))
  const foreign = readdirSync(directory).find((name) => !path.endsWith(name)) ?? ''
  copyFileSync(join(directory, foreign), path)
  t.equal(await open(directory).readDatasets(key), undefined)
  t.notOk(
    readdirSync(directory).some((name) => path.endsWith(name)),
    'it is deleted',
  )
})

t.test('the limits hold for a saved snapshot as for its object', async (t) => {
  const tighter: Partial<ReaderLimits>[] = [
    { maxNodes: 7 },
    { maxInflatedBytes: 500_000 },
    { maxPathBytes: 4 },
    { maxPathDepth: 1 },
  ]
  for (const limits of tighter) {
    const { directory } = await saveOne(t)
    const saved = open(directory, { ...defaultLimits, ...limits })
    t.equal(await saved.readGroup(key, 'wind'), undefined, Object.keys(limits).join())
  }
})

t.test('the oldest files are deleted beyond the total size', async (t) => {
  const { directory, path, snapshot } = await saveOne(t)
  utimesSync(path, 1, 1)
  writeFileSync(join(directory, 'of-somebody-else'), 'x'.repeat(3_000_000))
  await open(directory).save({ ...key, id: buildId(2) }, snapshot, () => datasets)
  t.equal(await open(directory).readDatasets(key), undefined)
  t.ok(await open(directory).readDatasets({ ...key, id: buildId(2) }))
  t.ok(readdirSync(directory).includes('of-somebody-else'))
})

t.test('a directory that cannot be written to is an error of saving, not of reading', async (t) => {
  const place = join(t.testdir({ file: '' }), 'file')
  await t.rejects(
    open(place).save(key, await read(), () => datasets),
    { code: /EEXIST|ENOTDIR/ },
  )
  t.equal(await open(place).readDatasets(key), undefined)
})
