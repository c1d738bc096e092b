// Organisations whose stores or repositories are slow, and another one that asks meanwhile.
import type { RequestListener } from 'node:http'
import { t, type Test } from 'tap'
import type { CatalogSource } from '../../../../server/catalog/sources/open-sources.ts'
import { openSource } from '../../../../server/catalog/sources/open-sources.ts'
import { buildId, buildNode, buildRepo, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'
import { startLoopback } from '../../../storage/repositories/objects/loopback-server.ts'
import { type ServedObjects, serveFiles } from '../../../storage/repositories/objects/stores/serve-objects.ts'
import { startServer } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'

/**
 * The objects of a repository with groups `g0`, `g1` and so on. Names of coordinates take long to read, and are not in
 * answers.
 */
function buildObjects(groups: number, coordinates = ''): ServedObjects {
  const document = JSON.stringify({ zarr_format: 3, node_type: 'group', attributes: { coordinates } })
  const paths = Array.from({ length: groups }, (_, index) => `/g${index}`).sort()
  const snapshot = buildSnapshot({ nodes: ['/', ...paths].map((path) => buildNode(path, 2, document)) })
  const objects = { repo: buildRepo(), [`snapshots/${buildId(1)}`]: snapshot }
  return new Map(Object.entries(objects).map(([key, bytes]) => [key, { content: Buffer.from(bytes), generation: 1 }]))
}

/** Repositories of an HTTP server. */
async function openSources(t: Test, names: readonly string[], listener: RequestListener): Promise<CatalogSource[]> {
  const { origin } = await startLoopback(t, listener)
  return Promise.all(names.map((name) => openSource({ name, location: `${origin}/root` })))
}

/** Answers reads of snapshots with one byte now and then, without end. */
function drip(serve: RequestListener): RequestListener {
  return (request, response) => {
    if (request.url?.includes('/snapshots/') !== true) return serve(request, response)
    const timer = setInterval(() => response.write('I'), 500)
    response.writeHead(200).once('close', () => clearInterval(timer))
  }
}

/** Starts a service for `acme`, whose repositories are slow, and `globex`, whose repository is quick. */
async function startAsking(t: Test, names: readonly string[], listener: RequestListener) {
  const sources = await openSources(t, names, listener)
  const globex = await openSources(t, ['quick'], serveFiles(buildObjects(40)))
  const { origin } = await startServer(t, { sources, otherOrgs: { globex } })
  const leaving = new AbortController()
  t.teardown(() => leaving.abort())
  /** Asks about a group; resolves with the status. */
  return async (org: string, repo: string, question: string) => {
    const url = `${origin}/v1/services/open/${org}/_meta/datasets/${repo}/main/${question}`
    const response = await fetch(url, { signal: leaving.signal })
    await response.arrayBuffer()
    return response.status
  }
}

t.test('stores that send a byte now and then do not take the slots of another organisation', async (t) => {
  const names = ['one', 'two']
  const ask = await startAsking(t, names, drip(serveFiles(buildObjects(0))))
  let [refused, ended] = [0, 0]
  const call = async (name: string, group: number) => {
    const status = await ask('acme', name, `g${group}/info`)
    if (status === 503) refused += 1
    else ended += 1
  }
  // More than all slots.
  for (let group = 0; group < 250; group++) for (const name of names) call(name, group).catch(() => {})
  await waitUntil(() => refused >= 100)
  let undelayed = 0
  for (let group = 0; group < 39; group++) {
    const before = ended
    t.equal(await ask('globex', 'quick', `g${group}/info`), 200)
    // One that waited for a slot of the others would wait until a read of theirs is given up.
    if (ended === before) undelayed += 1
  }
  t.ok(undelayed >= 20, `${undelayed} of 39 answers came before any of the others`)
})

t.test('a query waits for a few costly ones of another organisation, not for all', async (t) => {
  const names = Array.from({ length: 12 }, (_, index) => `costly-${index}`)
  const groups = 8
  const ask = await startAsking(t, names, serveFiles(buildObjects(groups, 'ab '.repeat(1_800_000))))
  let answered = 0
  const call = async (name: string, group: number): Promise<void> => {
    for (const view of ['info', 'keys', 'dict']) {
      const status = await ask('acme', name, `g${group}/${view}`)
      if (status === 200) answered += 1
    }
    return group + 4 < groups ? call(name, group + 4) : undefined
  }
  for (const name of names) for (let group = 0; group < 4; group++) call(name, group).catch(() => {})
  await waitUntil(() => answered >= 4)
  const meanwhile: number[] = []
  for (let group = 0; group < 7; group++) {
    const before = answered
    t.equal(await ask('globex', 'quick', `g${group}/info`), 200)
    meanwhile.push(answered - before)
  }
  const [median = Infinity, most = Infinity] = [3, 6].map((at) => meanwhile.toSorted((one, other) => one - other)[at])
  t.ok(most <= 8, `at most ${most} costly queries were answered meanwhile, a few by each thread`)
  t.ok(median <= 4, `mostly at most ${median}`)
})
