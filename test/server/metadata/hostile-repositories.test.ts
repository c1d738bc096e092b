import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseSnapshotId } from '@floe/storage/icechunk'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { damageObject, pick, makeSeededRandom, toVictim } from '../../../scripts/fuzz/mutations.ts'
import type { CatalogSource } from '../../../server/catalog/sources/open-sources.ts'
import { decodeSnapshotId } from '../../../storage/repositories/icechunk/format/object-id.ts'
import { MemoryStore } from '../../storage/memory-store.ts'
import { fixtures, startServer } from '../start-server.ts'

const repositories = 150

async function readObjects(repo: string): Promise<Map<string, Uint8Array>> {
  const root = join(fixtures, repo)
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const keys = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  const read = keys.filter((key) => /^(repo$|refs\/|snapshots\/)/.test(key))
  return new Map(
    await Promise.all(read.map(async (key) => [key, new Uint8Array(await readFile(join(root, key)))] as const)),
  )
}

/** The ids of the snapshots, as objects contain them. */
function listSnapshotIds(objects: ReadonlyMap<string, Uint8Array>): Uint8Array[] {
  const ids = [...objects.keys()].flatMap((key) => parseSnapshotId(key.replace('snapshots/', '')) ?? [])
  return ids.map(decodeSnapshotId)
}

/** A source that serves a copy of a repository with one object damaged. */
function makeDamagedSource(
  name: string,
  objects: ReadonlyMap<string, Uint8Array>,
  key: string,
  bytes: Uint8Array,
): CatalogSource {
  const store = new MemoryStore([...objects, [key, bytes]])
  return {
    kind: 'repository',
    name,
    store: {
      location: name,
      encodesKeys: true,
      read: (asked, options) => store.read(asked, options),
      list: (prefix, options) => store.list(prefix, options),
      below: () => store.below(),
    },
  }
}

t.test('a problem about a damaged repository names it and the object, and other repositories are served', async (t) => {
  const random = makeSeededRandom(20_261_121)
  const originals = [await readObjects('weather'), await readObjects('weather-v1')]
  const damages = Array.from({ length: repositories }, (_, index) => {
    const objects = pick(random, originals)
    const key = pick(random, [...objects.keys()])
    const victim = toVictim(objects.get(key) ?? new Uint8Array())
    const { bytes, how } = damageObject(random, victim, listSnapshotIds(objects))
    return { name: `damaged-${index}`, objects, key, bytes, how }
  })
  const sources = damages.map(({ name, objects, key, bytes }) => makeDamagedSource(name, objects, key, bytes))
  const healthy: CatalogSource = {
    kind: 'repository',
    name: 'weather',
    store: openLocalStore(join(fixtures, 'weather')),
  }
  const server = await startServer(t, { sources: [healthy, ...sources] })
  let refusals = 0
  for (const { name, key, how } of damages) {
    for (const path of [`discovery/${name}`, `discovery/${name}/main`, `datasets/${name}/main/forecast/info`]) {
      const response = await server.get(path)
      const body = await response.text()
      const what = `${path}, ${key}: ${how}`
      t.ok([200, 404, 422].includes(response.status), `${what} gives ${response.status}`)
      if (response.status !== 422) continue
      refusals += 1
      // What breaks a rule of the format names the object; what breaks one of xarray's names the array.
      if (body.includes('damaged-repository')) t.match(body, key, what)
    }
  }
  t.ok(refusals > repositories / 4, `${refusals} answers were refusals`)
  t.equal((await server.get('datasets/weather/main/forecast/info')).status, 200)
  const page = await server.get('', { accept: 'text/html' })
  t.equal(page.status, 200, 'the list of repositories shows the damaged ones among the others')
})
