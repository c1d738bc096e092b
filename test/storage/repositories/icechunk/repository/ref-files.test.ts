import { t } from 'tap'
import { openRepository, RefNotFoundError } from '../../../../../storage/repositories/icechunk/index.ts'
import type { Repository, SnapshotId } from '../../../../../storage/repositories/icechunk/index.ts'
import { MemoryStore } from '../../../memory-store.ts'
import { buildSnapshot, buildId } from '../build-object.ts'
import { matchDamage, matchExcess } from '../match-damage.ts'

const { signal } = new AbortController()
const writeRef = (id: SnapshotId) => Buffer.from(JSON.stringify({ snapshot: id }))

/**
 * Opens a version 1 repository with these references (directory below `refs/` to snapshot) beside `main`, which is
 * number 1.
 */
function openWith(
  refs: Record<string, SnapshotId>,
  { encodesKeys = true } = {},
): { store: MemoryStore; repository: Repository } {
  const files = Object.entries({ 'branch.main': buildId(1), ...refs }).map(
    ([directory, id]) => [`refs/${directory}/ref.json`, writeRef(id)] as const,
  )
  const store = new MemoryStore(files, { encodesKeys })
  return { store, repository: openRepository(store) }
}

const listBranches = async (repository: Repository) => [...(await repository.readRefs(signal)).branches.keys()]

t.test('branches and tags are read from their files', async (t) => {
  const { repository } = openWith({ 'tag.v1': buildId(2), 'branch.dev': buildId(3), other: buildId(4) })
  const { branches, tags } = await repository.readRefs(signal)
  t.strictSame([...branches].flat(), ['dev', buildId(3), 'main', buildId(1)])
  t.strictSame([...tags].flat(), ['v1', buildId(2)])
  t.match(await repository.readState(signal), { formatVersion: 1, etag: null, main: buildId(1) })
})

t.test('a tag with a tombstone is deleted, also when only the tombstone exists', async (t) => {
  const { store, repository } = openWith({ 'tag.old': buildId(2), 'branch.old': buildId(3) })
  store.objects.set('refs/tag.old/ref.json.deleted', new Uint8Array())
  store.objects.set('refs/tag.older/ref.json.deleted', new Uint8Array())
  t.equal((await repository.readRefs(signal)).tags.size, 0)
  t.match(await repository.resolve('old', signal), { kind: 'branch' })
  await t.rejects(repository.resolve('older', signal), { name: 'RefNotFoundError', ref: 'older' })
})

t.test('a directory without ref.json is a deleted branch', async (t) => {
  const { store, repository } = openWith({ 'branch.gone': buildId(2) })
  store.objects.set('refs/branch.gone/ref.json#1', new Uint8Array())
  store.objects.delete('refs/branch.gone/ref.json')
  t.strictSame(await listBranches(repository), ['main'])
  await t.rejects(repository.resolve('gone', signal), { name: 'RefNotFoundError' })
})

t.test('names are decoded where Icechunk encodes them, and taken as they are on S3', async (t) => {
  const refs = { 'branch.50%2520off': buildId(2), 'branch.gr%C3%B6%C3%9Fe': buildId(3), 'branch.ü': buildId(4) }
  t.strictSame(await listBranches(openWith(refs).repository), ['50%20off', 'größe', 'main', 'ü'])
  const onS3 = openWith(refs, { encodesKeys: false }).repository
  t.strictSame(await listBranches(onS3), ['50%2520off', 'gr%C3%B6%C3%9Fe', 'main', 'ü'])
  t.match(await openWith(refs).repository.resolve('größe', signal), { snapshotId: buildId(3) })
  t.match(await onS3.resolve('50%2520off', signal), { snapshotId: buildId(2) })
})

t.test('a name that was never encoded is kept, and the encoded one of two equal names wins', async (t) => {
  const refs = {
    'branch.100%': buildId(2),
    'branch.%FF': buildId(3),
    'branch.ä': buildId(4),
    'branch.%C3%A4': buildId(5),
  }
  const { repository } = openWith(refs)
  t.strictSame(await listBranches(repository), ['%FF', '100%', 'main', 'ä'])
  t.match(await repository.resolve('ä', signal), { snapshotId: buildId(5) })
  t.equal((await repository.readRefs(signal)).branches.get('ä'), buildId(5))
})

t.test('unusual names have no special meaning', async (t) => {
  const names = ['', '.', '..', 'tag.x', 'branch.y', 'ref.json', ' ', '%2E%2E%2F%2E%2E%2Fetc']
  const refs = Object.fromEntries(names.map((name, index) => [`branch.${name}`, buildId(index + 2)]))
  const { store, repository } = openWith({ ...refs, 'branch.back\\slash': buildId(50), 'branch.nul\0': buildId(51) })
  for (const [index, name] of names.slice(0, -1).entries()) {
    t.match(await repository.resolve(name, signal), { kind: 'branch', snapshotId: buildId(index + 2) })
  }
  t.match(await repository.resolve('../../etc', signal), { kind: 'branch' })
  for (const name of ['back\\slash', 'nul\0', '../../secret', '/', 'x/../../y', '%2E%2E']) {
    await t.rejects(repository.resolve(name, signal), RefNotFoundError, JSON.stringify(name))
  }
  t.notOk(store.asked.some((key) => key.includes('/../') || key.includes('\0') || key.includes('\\')))
})

t.test('a snapshot id resolves when its object exists', async (t) => {
  const { store, repository } = openWith({})
  store.objects.set(`snapshots/${buildId(7)}`, Buffer.from('anything'))
  const id = buildId(7)
  t.strictSame(await repository.resolve(id, signal), { kind: 'snapshot', name: id, snapshotId: id })
  const named = openWith({ [`branch.${id}`]: buildId(1), [`branch.${buildId(9)}`]: buildId(1) })
  named.store.objects.set(`snapshots/${id}`, Buffer.from('anything'))
  t.match(await named.repository.resolve(id, signal), { kind: 'snapshot', snapshotId: id }, 'before a branch')
  t.match(await named.repository.resolve(buildId(9), signal), { kind: 'branch', snapshotId: buildId(1) })
  store.asked.length = 0
  for (const name of [buildId(8), id.toLowerCase(), '../repo']) {
    await t.rejects(repository.resolve(name, signal), { name: 'RefNotFoundError' })
  }
  t.strictSame(
    store.asked.filter((key) => key.startsWith('snapshots/')),
    [`snapshots/${buildId(8)}`],
  )
})

t.test('a malformed ref.json is refused', async (t) => {
  const members = ['1', '"main"', '"../../x"'].map((id) => `{"snapshot":${id}}`)
  for (const text of ['', '{', 'null', '[]', '"x"', '{}', '\xff', ...members]) {
    const { store, repository } = openWith({ 'branch.dev': buildId(2) })
    store.objects.set('refs/branch.dev/ref.json', Buffer.from(text, 'latin1'))
    const damage = { name: 'DamagedObjectError', key: 'refs/branch.dev/ref.json' }
    await t.rejects(repository.resolve('dev', signal), damage, text)
    await t.rejects(repository.readRefs(signal), damage, text)
    t.match(await repository.resolve('main', signal), { snapshotId: buildId(1) })
  }
})

t.test('a ref.json above its size limit is refused', async (t) => {
  const { store, repository } = openWith({})
  store.objects.set('refs/branch.main/ref.json', Buffer.alloc(5_000, ' '))
  await t.rejects(repository.readState(signal), matchExcess('maxRefFileBytes', /larger than 4096 bytes/))
})

t.test('a history ends where an older commit is missing, and fails when its first commit is missing', async (t) => {
  const { store, repository } = openWith({})
  store.objects.set(`snapshots/${buildId(1)}`, buildSnapshot({ version: 1, parent: buildId(2) }))
  const one = { commits: { length: 1 }, next: null, missing: buildId(2) }
  t.match(await repository.readHistory(buildId(1), { limit: 9, signal }), one)
  const more = { commits: { length: 1 }, next: buildId(1), missing: null }
  t.match(await repository.readHistory(buildId(1), { limit: 1, signal }), more)
  const missing = { name: 'MissingObjectError', key: `snapshots/${buildId(2)}` }
  await t.rejects(repository.readHistory(buildId(2), { limit: 9, signal }), missing)
  await t.rejects(repository.readCommit(buildId(2), signal), missing)
})

t.test(
  'a page after a commit that is newer than the head is refused, and none of its commits is damaged',
  async (t) => {
    const { store, repository } = openWith({})
    const [newest, head, oldest] = [buildId(1), buildId(3), 6]
    for (let number = 1; number <= oldest; number++) {
      const parent = number === oldest ? {} : { parent: buildId(number + 1) }
      store.objects.set(`snapshots/${buildId(number)}`, buildSnapshot({ version: 1, id: buildId(number), ...parent }))
    }
    for (const limit of [1, 2, 3, 9]) {
      const page = repository.readHistory(head, { limit, before: newest, signal })
      await t.rejects(page, { name: 'NotInHistoryError', message: new RegExp(newest) }, `limit ${limit}`)
    }
    const within = await repository.readHistory(newest, { limit: 1, before: head, signal })
    t.match(within, { commits: [{ id: buildId(4) }], next: buildId(4) })
  },
)

t.test('a history that runs in a circle is damaged', async (t) => {
  const { store, repository } = openWith({})
  store.objects.set(`snapshots/${buildId(1)}`, buildSnapshot({ version: 1, parent: buildId(2) }))
  store.objects.set(`snapshots/${buildId(2)}`, buildSnapshot({ version: 1, id: buildId(2), parent: buildId(1) }))
  const damage = matchDamage('its history runs in a circle')
  await t.rejects(repository.readHistory(buildId(1), { limit: 9, signal }), damage)
  await t.rejects(repository.readHistory(buildId(1), { limit: 9, before: buildId(2), signal }), damage)
})
