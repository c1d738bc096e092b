// Searches the histories that official Icechunk wrote, by the routes of expectations.
import { Expectation, HistoryPage } from '@floe/contract'
import { t, type Test } from 'tap'
import { startAdministration } from '../../../administration/start-administration.ts'
import { openMovableRefs } from '../../movable-refs.ts'

const path = 'repos/sea/expectations'

/** A repository whose `main` a test moves, and the times of its commits by their messages. */
async function start(t: Test, head: string) {
  const { source, point } = await openMovableRefs(t)
  await point('branch.main', head)
  const server = await startAdministration(t, { sources: [source] })
  const expect = async (glob: string | null, maxAge = '3650d') => {
    const response = await server.administer('POST', path, { branch: 'main', max_age: maxAge, path: glob })
    t.equal(response.status, 201)
    return Expectation.parse(await response.json())
  }
  const read = async (id: string) => Expectation.parse(await (await server.administer('GET', `${path}/${id}`)).json())
  /** When the commits from this one on were written, newest first. */
  const listTimes = async (ref: string) => {
    const history = HistoryPage.parse(await (await server.get(`history/sea/${ref}`)).json())
    return history.commits.map(({ written_at }) => written_at)
  }
  const move = async (to: string) => {
    await point('branch.main', to)
    t.equal((await server.administer('POST', 'repos/sea/refresh')).status, 200)
  }
  return { server, expect, read, listTimes, move }
}

// Proves: with `path`, the last commit that changed it counts
t.test('the last commit that changed the path is found in the history, and in later moves', async (t) => {
  const { expect, read, listTimes, move } = await start(t, 's4')
  const [s4, , s2] = await listTimes('s4')
  t.equal((await expect(null)).last_commit_at, s4)
  t.equal((await expect('time')).last_commit_at, s4)
  const depth = await expect('sea/depth')
  const nowhere = await expect('nowhere/**')
  const times = await listTimes('s4')
  t.equal(nowhere.last_commit_at, null)
  t.equal(
    Date.parse(nowhere.due_at ?? '') - 3_650 * 86_400_000,
    Date.parse(times.at(-1) ?? ''),
    'it counts from the first',
  )
  t.ok(depth.last_commit_at !== null && depth.last_commit_at <= (s2 ?? ''), 'nothing below sea has changed since s2')
  await move('s1')
  const [s1] = await listTimes('s1')
  const reset = await read(depth.id)
  t.ok(reset.last_commit_at === null || reset.last_commit_at <= (s1 ?? ''), 'the branch was reset')
  await move('s2')
  t.equal((await read(depth.id)).last_commit_at, (await listTimes('s2'))[0])
  await move('s4')
  t.equal((await read(depth.id)).last_commit_at, (await listTimes('s2'))[0], 'the later commits changed other paths')
})
