// Tests of what every object store must do.
import type { Test } from 'tap'
import type { ObjectStore, ReadOptions } from '../../../../../storage/repositories/objects/index.ts'

/** An empty store, and a function that writes to it. */
export type WritableStore = {
  readonly store: ObjectStore
  readonly put: (key: string, content: string) => Promise<void>
}

/** Directory names as references have them, raw and encoded, sorted by UTF-8 bytes. */
const names = ["a'b(c)!", 'a b', 'a%20b', 'a&b=c', 'a+b', 'a:b', 'a?b#c', 'a~b', 'ü', '日本', '\u{1F600}'].sort(
  (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)),
)

const { signal } = new AbortController()
const options = { maxBytes: 1_000, signal }
const entries = { maxEntries: 100, signal }

/** Tests how a store reads. */
export async function testReading(t: Test, { store, put }: WritableStore): Promise<void> {
  await t.test('an object is read whole, and its etag stays the same while it does not change', async (t) => {
    await put('whole/digits', '0123456789')
    await put('whole/empty', '')
    const first = await store.read('whole/digits', options)
    t.strictSame(first, { state: 'found', bytes: encodeText('0123456789'), etag: readEtag(first), totalBytes: 10 })
    t.strictSame(await store.read('whole/digits', options), first)
    const part = await store.read('whole/digits', { ...options, range: { start: 0, end: 1 } })
    t.match(part, { bytes: encodeText('0'), totalBytes: 10 }, 'the size of the whole comes with a part')
    t.match(await store.read('whole/empty', options), { state: 'found', bytes: encodeText('') })
  })

  await t.test('an object with the same etag is reported as unchanged until it is replaced', async (t) => {
    await put('versioned', 'one')
    const first = await store.read('versioned', options)
    const conditional = { ...options, ifNoneMatch: readEtag(first) }
    t.strictSame(await store.read('versioned', conditional), { state: 'unchanged' })
    await put('versioned', 'two')
    const second = await store.read('versioned', conditional)
    t.match(second, { state: 'found', bytes: encodeText('two') })
    t.not(readEtag(second), readEtag(first))
    t.strictSame(await store.read('versioned', { ...options, ifNoneMatch: readEtag(second) }), { state: 'unchanged' })
  })

  await t.test('a missing object is reported as absent, with every option', async (t) => {
    await put('present', 'x')
    const ifNoneMatch = readEtag(await store.read('present', options))
    for (const key of ['nothing', 'present/below', 'no/such/place']) {
      t.strictSame(await store.read(key, options), { state: 'absent' }, key)
      t.strictSame(await store.read(key, { ...options, range: { start: 0, end: 1 } }), { state: 'absent' }, key)
      t.strictSame(await store.read(key, { ...options, ifNoneMatch }), { state: 'absent' }, key)
    }
  })

  await t.test('a range of an object can be read, up to the end of the object', async (t) => {
    await put('part/digits', '0123456789')
    await put('part/empty', '')
    const part = async (key: string, start: number, end: number) =>
      readText(store, `part/${key}`, { signal, maxBytes: 4, range: { start, end } })
    t.equal(await part('digits', 0, 4), '0123')
    t.equal(await part('digits', 2, 5), '234')
    t.equal(await part('digits', 8, 12), '89')
    t.equal(await part('digits', 20, 24), '')
    t.equal(await part('digits', 3, 3), '')
    t.equal(await part('empty', 0, 1), '')
    await t.rejects(part('digits', 0, 5), { name: 'ObjectTooLargeError', key: 'part/digits' })
  })

  await t.test('an object above the limit is refused', async (t) => {
    await put('large', '0123456789')
    await t.rejects(store.read('large', { maxBytes: 9, signal }), { name: 'ObjectTooLargeError', key: 'large' })
    await t.resolves(store.read('large', { maxBytes: 10, signal }))
  })

  await t.test('names that must be encoded in URLs can be read, from the root and from a store below it', async (t) => {
    for (const name of names) {
      await put(`names/${name}/ref.json`, name)
      t.equal(await readText(store, `names/${name}/ref.json`, options), name)
      t.equal(await readText(store.below('names/').below(`${name}/`), 'ref.json', options), name)
    }
  })

  await t.test('keys that may lead out of the root are refused', async (t) => {
    for (const key of ['', '/x', 'x/', 'x//y', '../x', 'x/../y', './x', 'a\0b', 'a\\b']) {
      await t.rejects(store.read(key, options), { name: 'UnsafeKeyError' }, JSON.stringify(key))
    }
    for (const prefix of ['', 'x', '/', '../', 'x//']) {
      t.throws(() => store.below(prefix), { name: 'UnsafeKeyError' }, JSON.stringify(prefix))
    }
  })

  await t.test('an aborted signal stops the read with its own reason', async (t) => {
    const reason = new Error('enough')
    await t.rejects(store.read('x', { maxBytes: 10, signal: AbortSignal.abort(reason) }), reason)
  })
}

/** Tests how a store lists. */
export async function testListing(t: Test, { store, put }: WritableStore): Promise<void> {
  for (const key of ['b', 'a', 'ä', 'd/x', 'a-d/deep/deeper', 'a-d/y']) await put(`level/${key}`, key)
  for (const name of names) await put(`refs/${name}/ref.json`, name)

  await t.test('one level is listed in the order of UTF-8 bytes', async (t) => {
    t.strictSame(await store.list('level/', entries), { objects: ['a', 'b', 'ä'], prefixes: ['a-d', 'd'] })
    t.strictSame(await store.below('level/').list('', entries), { objects: ['a', 'b', 'ä'], prefixes: ['a-d', 'd'] })
    t.strictSame(await store.below('level/').list('a-d/', entries), { objects: ['y'], prefixes: ['deep'] })
    t.match((await store.list('', entries)).prefixes, ['level'])
  })

  await t.test('names are listed as they are', async (t) => {
    t.strictSame(await store.list('refs/', entries), { objects: [], prefixes: names })
  })

  await t.test('a level without objects is empty', async (t) => {
    t.strictSame(await store.list('nothing/', entries), { objects: [], prefixes: [] })
  })

  await t.test('a level with too many entries is refused', async (t) => {
    await t.rejects(store.list('level/', { maxEntries: 4, signal }), { name: 'TooManyObjectsError' })
    await t.resolves(store.list('level/', { maxEntries: 5, signal }))
  })

  await t.test('prefixes that may lead out of the root are refused', async (t) => {
    for (const prefix of ['level', '/', '../', 'a//']) {
      await t.rejects(store.list(prefix, entries), { name: 'UnsafeKeyError' }, prefix)
    }
  })

  await t.test('an aborted signal stops the listing with its own reason', async (t) => {
    const reason = new Error('enough')
    await t.rejects(store.list('', { maxEntries: 10, signal: AbortSignal.abort(reason) }), reason)
  })
}

async function readText(store: ObjectStore, key: string, options: ReadOptions): Promise<string> {
  const result = await store.read(key, options)
  return result.state === 'found' ? Buffer.from(result.bytes).toString() : result.state
}

function encodeText(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text))
}

function readEtag(result: { state: string; etag?: string }): string {
  return result.etag ?? 'none'
}
