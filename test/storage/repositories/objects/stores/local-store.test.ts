import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { t, type Test } from 'tap'
import { openBlockingStore, openLocalStore } from '../../../../../storage/repositories/objects/stores/local-store.ts'
import { type FileSystem, systemFiles } from '../../../../../storage/repositories/objects/stores/open-inside.ts'

const { signal } = new AbortController()
const options = { maxBytes: 1_000, signal }
const entries = { maxEntries: 100, signal }

t.test('an object with the same etag is reported as unchanged', async (t) => {
  const directory = t.testdir({ repo: 'one' })
  const store = openLocalStore(directory)
  const first = await store.read('repo', options)
  const conditional = { ...options, ifNoneMatch: first.state === 'found' ? first.etag : '' }
  t.strictSame(await store.read('repo', conditional), { state: 'unchanged' })
  // Replace the file by renaming, as Icechunk does, with the same size and even the same time.
  writeFileSync(join(directory, 'repo#1'), 'two')
  const past = new Date('2020-01-01')
  for (const name of ['repo', 'repo#1']) utimesSync(join(directory, name), past, past)
  renameSync(join(directory, 'repo#1'), join(directory, 'repo'))
  t.match(await store.read('repo', conditional), { state: 'found', bytes: Buffer.from('two') })
})

t.test('an unchanged object is not opened', async (t) => {
  const opened: string[] = []
  const open: FileSystem['open'] = (path, flags) => {
    opened.push(path)
    return systemFiles.open(path, flags)
  }
  const store = openLocalStore(t.testdir({ repo: 'one' }), { ...systemFiles, open })
  const first = await store.read('repo', options)
  await store.read('repo', { ...options, ifNoneMatch: first.state === 'found' ? first.etag : '' })
  t.equal(opened.length, 1)
})

t.test('anything that is not a file is reported as absent', async (t) => {
  const directory = t.testdir({ a: { b: 'content' } })
  execFileSync('mkfifo', [join(directory, 'pipe')])
  const store = openLocalStore(directory)
  for (const key of ['x', 'a', 'a/x', 'a/b/c', 'pipe', 'n'.repeat(300)]) {
    t.strictSame(await store.read(key, options), { state: 'absent' }, key)
  }
  t.strictSame(await openLocalStore(join(directory, 'nowhere')).read('repo', options), { state: 'absent' })
})

t.test('links that lead out of the root are refused', async (t) => {
  const directory = t.testdir({ outside: { secret: 'x' }, root: { inside: { file: 'y' } } })
  const root = join(directory, 'root')
  symlinkSync('../outside', join(root, 'directory'))
  symlinkSync('../outside/secret', join(root, 'file'))
  symlinkSync('/etc', join(root, 'absolute'))
  symlinkSync('inside/file', join(root, 'good'))
  symlinkSync('nowhere', join(root, 'dangling'))
  symlinkSync('circle', join(root, 'circle'))
  const store = openLocalStore(root)
  for (const key of ['directory/secret', 'file', 'absolute/passwd']) {
    await t.rejects(store.read(key, options), { name: 'UnsafeKeyError' }, JSON.stringify(key))
  }
  await t.rejects(store.list('directory/', entries), { name: 'UnsafeKeyError' })
  t.match(await store.read('good', options), { state: 'found', bytes: Buffer.from('y') })
  t.strictSame(await store.list('', entries), { objects: ['good'], prefixes: ['inside'] })
})

t.test('a root that is a link is followed, also after it was changed', async (t) => {
  const directory = t.testdir({ one: { file: '1' }, two: { file: '2' } })
  const link = join(directory, 'current')
  const store = openLocalStore(link)
  for (const target of ['one', 'two']) {
    rmSync(link, { force: true })
    symlinkSync(target, link)
    t.match(await store.read('file', options), { bytes: Buffer.from(target === 'one' ? '1' : '2') })
  }
})

t.test('a level is listed without unfinished writes and names that are no keys', async (t) => {
  const directory = t.testdir({ level: { b: '', 'repo#1': '', 'back\\slash': '' } })
  const store = openLocalStore(directory)
  t.strictSame(await store.list('level/', entries), { objects: ['b'], prefixes: [] })
  t.strictSame(await store.list('level/b/', entries), { objects: [], prefixes: [] })
})

t.test('a store below another one sees only that part', async (t) => {
  const directory = t.testdir({ repos: { era5: { repo: 'x' } }, outside: { repo: 'y' } })
  symlinkSync('../outside', join(directory, 'repos', 'link'))
  const repos = openLocalStore(join(directory, 'repos'))
  const era5 = repos.below('era5/')
  t.equal(era5.location, join(directory, 'repos', 'era5'))
  t.match(await era5.read('repo', options), { state: 'found' })
  await t.rejects(era5.read('../../outside/repo', options), { name: 'UnsafeKeyError' })
  await t.rejects(repos.below('link/').read('repo', options), { name: 'UnsafeKeyError' })
})

/** Two repositories below one scanned directory, and a store for the first. */
function openTwo(t: Test, files: FileSystem = systemFiles) {
  const directory = t.testdir({
    mine: { repo: 'mine', snapshots: { A: 'own' }, refs: { 'branch.main': {} } },
    other: { repo: 'other', snapshots: { A: 'secret' }, refs: { 'branch.main': { secret: {} } } },
  })
  const mine = join(directory, 'mine')
  return {
    directory,
    mine,
    scanned: openLocalStore(directory, files),
    store: openLocalStore(directory, files).below('mine/'),
  }
}

t.test('a link inside a repository does not lead to another repository below the same directory', async (t) => {
  const { mine, store } = openTwo(t)
  symlinkSync('../../other/snapshots/A', join(mine, 'snapshots', 'B'))
  symlinkSync('../other/snapshots', join(mine, 'manifests'))
  symlinkSync('snapshots/A', join(mine, 'inside'))
  await t.rejects(store.read('snapshots/B', options), { name: 'UnsafeKeyError' })
  await t.rejects(store.read('manifests/A', options), { name: 'UnsafeKeyError' })
  await t.rejects(store.list('manifests/', entries), { name: 'UnsafeKeyError' })
  t.strictSame(await store.list('snapshots/', entries), { objects: ['A'], prefixes: [] })
  t.match(await store.read('inside', options), { bytes: Buffer.from('own') })
})

t.test('a repository that is itself a link is followed to another place below the same directory only', async (t) => {
  const { directory, scanned } = openTwo(t)
  symlinkSync('other', join(directory, 'latest'))
  symlinkSync('/etc', join(directory, 'elsewhere'))
  symlinkSync('../../mine/snapshots/A', join(directory, 'other', 'snapshots', 'B'))
  const latest = scanned.below('latest/')
  t.match(await latest.read('repo', options), { bytes: Buffer.from('other') })
  await t.rejects(latest.read('snapshots/B', options), { name: 'UnsafeKeyError' })
  await t.rejects(scanned.below('elsewhere/').read('passwd', options), { name: 'UnsafeKeyError' })
  t.strictSame((await scanned.list('', entries)).prefixes, ['latest', 'mine', 'other'])
})

t.test('a repository is opened in another thread as in this one, and links do not lead out of it either', async (t) => {
  const { directory, mine, scanned, store } = openTwo(t)
  symlinkSync('../../other/snapshots/A', join(mine, 'snapshots', 'B'))
  symlinkSync('other', join(directory, 'latest'))
  const openBlocking = ({ localDirectory }: typeof store) => openBlockingStore(localDirectory ?? [''])
  const again = openBlocking(store)
  t.match(await again.read('snapshots/A', options), await store.read('snapshots/A', options))
  t.strictSame(await again.read('snapshots/C', options), { state: 'absent' })
  await t.rejects(again.read('snapshots/A', { ...options, maxBytes: 1 }), { name: 'ObjectTooLargeError' })
  await t.rejects(again.read('snapshots/B', options), { name: 'UnsafeKeyError' })
  t.match(await openBlocking(scanned.below('latest/')).read('repo', options), { bytes: Buffer.from('other') })
  symlinkSync('/etc', join(directory, 'elsewhere'))
  await t.rejects(openBlocking(scanned.below('elsewhere/')).read('passwd', options), { name: 'UnsafeKeyError' })
})

/**
 * A file system that replaces a directory of `mine` by a link to the same directory of `other`, right before it is
 * opened.
 */
function exchangeBeforeOpening(name: string, onSystem: Partial<FileSystem> = {}): FileSystem {
  const exchange = (path: string) => {
    const directory = path.slice(0, path.indexOf(`/mine/${name}`))
    if (!path.includes(`/mine/${name}`)) return
    renameSync(join(directory, 'mine', name), join(directory, 'mine', 'aside'))
    symlinkSync(`../other/${name}`, join(directory, 'mine', name))
  }
  return {
    ...systemFiles,
    ...onSystem,
    open: async (path, flags) => {
      exchange(path)
      return systemFiles.open(path, flags)
    },
  }
}

/** Like systems other than Linux, which do not say what is open. */
const silent = { readlink: () => Promise.reject(new Error('there is no /proc')) }

for (const [system, onSystem] of Object.entries({ Linux: {}, 'other systems': silent })) {
  t.test(`a link that appears between check and opening does not lead out of a repository, on ${system}`, async (t) => {
    const { store } = openTwo(t, exchangeBeforeOpening('snapshots', onSystem))
    await t.rejects(store.read('snapshots/A', options), { name: 'UnsafeKeyError' })
  })

  t.test(`a listing does not leave a repository by a link that appears before opening, on ${system}`, async (t) => {
    const { store } = openTwo(t, exchangeBeforeOpening('refs', onSystem))
    await t.rejects(store.list('refs/branch.main/', entries), { name: 'UnsafeKeyError' })
  })
}

t.test('files and directories are also read if the system does not say what is open', async (t) => {
  const { store } = openTwo(t, { ...systemFiles, ...silent })
  t.match(await store.read('snapshots/A', options), { bytes: Buffer.from('own') })
  t.strictSame(await store.list('refs/', entries), { objects: [], prefixes: ['branch.main'] })
})

t.test('a file that is replaced while it is opened is read as it was', async (t) => {
  const directory = t.testdir({ repo: 'one' })
  const replacing: FileSystem = {
    ...systemFiles,
    open: async (path, flags) => {
      const file = await systemFiles.open(path, flags)
      writeFileSync(join(directory, 'repo#1'), 'two')
      renameSync(join(directory, 'repo#1'), join(directory, 'repo'))
      return file
    },
  }
  t.match(await openLocalStore(directory, replacing).read('repo', options), { bytes: Buffer.from('one') })
})

t.test('an error of the file system becomes a named error with its code', async (t) => {
  const directory = t.testdir({})
  symlinkSync('circle', join(directory, 'circle'))
  mkdirSync(join(directory, 'level'))
  const store = openLocalStore(directory)
  await t.rejects(store.read('circle', options), { name: 'ObjectStoreError', key: 'circle', message: /ELOOP/ })
})
