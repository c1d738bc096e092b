// A server with a repository whose heads get checks.
import { responseHeaders } from '@floe/contract'
import type { Test } from 'tap'
import { openMovableRefs } from './notifications/movable-refs.ts'
import { basic, startServer } from './start-server.ts'

/** The heads of `main` whose check `quality` has passed within two hours are good. */
export const expectation = { kind: 'good', branch: 'main', checks: ['quality'], within: '2h' }

/** A repository whose `main` moves through the commits `s0` to `s4`, and gets checks. */
export async function startMoving(t: Test) {
  const { source, point, remove } = await openMovableRefs(t)
  const server = await startServer(t, { sources: [source] })
  const refresh = async () => t.equal((await server.administer('POST', 'repos/sea/refresh')).status, 200)
  const idOf = async (commit: string) => {
    const response = await server.get(`discovery/sea/${commit}`)
    await response.body?.cancel()
    return response.headers.get(responseHeaders.snapshot.name) ?? ''
  }
  const move = async (commit: string) => {
    await point('branch.main', commit)
    await refresh()
    return idOf(commit)
  }
  const post = async (id: string, state: string, text?: string) => {
    const posted = await fetch(`${server.meta}/checks/sea/${id}/quality`, {
      method: 'PUT',
      headers: { authorization: basic('acme', server.adminKey), 'content-type': 'application/json' },
      body: JSON.stringify({ state, text }),
    })
    t.equal(posted.status, 200)
  }
  /** What a ref names, and how many heads it is behind. */
  const read = async (path = 'discovery/sea/main@good') => {
    const response = await server.get(path)
    await response.body?.cancel()
    return [response.headers.get(responseHeaders.snapshot.name), response.headers.get(responseHeaders.behind.name)]
  }
  const good = async () => (await server.get('good/sea/main')).json()
  return { server, point, remove, refresh, move, idOf, post, read, good }
}

/** The same, where somebody expects good heads. */
export async function startGoodHeads(t: Test) {
  const started = await startMoving(t)
  await started.refresh()
  t.equal((await started.server.administer('POST', 'repos/sea/expectations', expectation)).status, 201)
  await started.refresh()
  return { ...started, first: await started.idOf('s0') }
}
