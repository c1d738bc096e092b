// Repositories at an empty prefix of S3, under the keys that Icechunk before version 2.1 wrote: `/repo`, `/refs/...`.
import { readdir, readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { relative } from 'node:path'
import { t, type Test } from 'tap'
import { defaultLimits, openRepository } from '../../../../../storage/repositories/icechunk/index.ts'
import { openStore } from '../../../../../storage/repositories/objects/index.ts'
import { startLoopback } from '../loopback-server.ts'
import './dialects.ts'

const fixtures = new URL('../../../../fixtures/repositories/', import.meta.url).pathname
const { signal } = new AbortController()

/** Reads the objects of a repository by their keys. */
async function readObjects(directory: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => `${parentPath}/${name}`)
  return new Map(
    await Promise.all(paths.map(async (path) => [relative(directory, path), await readFile(path)] as const)),
  )
}

/** Serves objects as the bucket `bucket` of S3. */
function serveBucket(objects: ReadonlyMap<string, Buffer>): RequestListener {
  return ({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(`http://host${url}`)
    const prefix = searchParams.get('prefix')
    if (prefix !== null) {
      const below = [...objects.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
      const names = [...new Set(below.map((key) => prefix + key.replace(/\/.*/, '/')))]
      const entries = names.map((name) =>
        name.endsWith('/')
          ? `<CommonPrefixes><Prefix>${encodeURIComponent(name)}</Prefix></CommonPrefixes>`
          : `<Contents><Key>${encodeURIComponent(name)}</Key></Contents>`,
      )
      response.writeHead(200, { 'content-type': 'application/xml' })
      return response.end(`<ListBucketResult>${entries.join('')}<EncodingType>url</EncodingType></ListBucketResult>`)
    }
    const content = objects.get(decodeURIComponent(pathname.slice('/bucket/'.length)))
    if (content === undefined) return response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    return response.writeHead(200, { etag: '"1"', 'content-length': content.length }).end(content)
  }
}

async function openBucket(t: Test, objects: ReadonlyMap<string, Buffer>, location = 's3://bucket') {
  const { origin, requests } = await startLoopback(t, serveBucket(objects))
  const store = await openStore(location, { endpoint: origin, pathStyle: true })
  return { store, paths: () => requests.map(({ url = '' }) => url.slice('/bucket/'.length).replace(/\?.*/, '')) }
}

const rootKeys = (objects: ReadonlyMap<string, Buffer>) =>
  new Map([...objects].map(([key, content]) => [`/${key}`, content]))

t.test('a repository of either format version is read like one under the usual keys', async (t) => {
  for (const name of ['weather', 'weather-v1']) {
    const objects = await readObjects(`${fixtures}${name}`)
    const read = async (keys: ReadonlyMap<string, Buffer>) => {
      const { store, paths } = await openBucket(t, keys)
      const repository = openRepository(store, defaultLimits)
      const { branches, tags } = await repository.readRefs(signal)
      const { nodes } = await repository.readSnapshot((await repository.resolve('main', signal)).snapshotId, signal)
      return { found: { branches, tags, nodes: nodes.length }, paths: paths() }
    }
    const [usual, rooted] = [await read(objects), await read(rootKeys(objects))]
    t.strictSame(rooted.found, usual.found, name)
    t.ok(rooted.found.nodes > 10)
    t.ok(usual.paths.filter((path) => path.startsWith('/')).length <= 1, 'at most one request of the other layout')
  }
})

t.test('both layouts are tried once, and only for the first objects of the bucket itself', async (t) => {
  const options = { maxBytes: 10, signal }
  const rooted = await openBucket(t, new Map([['/repo', Buffer.from('x')]]))
  for (const key of ['repo', 'repo', 'snapshots/A']) await rooted.store.read(key, options)
  t.strictSame(rooted.paths(), ['repo', '/repo', '/repo', '/snapshots/A'])
  const usual = await openBucket(
    t,
    new Map([
      ['repo', Buffer.from('x')],
      ['/repo', Buffer.from('y')],
    ]),
  )
  for (const key of ['repo', 'refs/branch.main/ref.json', 'snapshots/A']) await usual.store.read(key, options)
  t.strictSame(usual.paths(), ['repo', 'refs/branch.main/ref.json', 'snapshots/A'])
  const below = await openBucket(t, new Map())
  await below.store.below('a/').read('repo', options)
  t.strictSame(below.paths(), ['a/repo'])
  const prefixed = await openBucket(t, new Map(), 's3://bucket/b')
  t.strictSame(await prefixed.store.read('repo', options), { state: 'absent' })
  t.strictSame(prefixed.paths(), ['b/repo'])
})
