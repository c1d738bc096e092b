import { copyFile, cp, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { readHistory } from '../fixture-histories.ts'
import { describeFirst, describeRewritten, intervalMs, newer, newerBytes, older, watch } from './watch.ts'

t.test('a change on this machine is noticed before the next scheduled check', async (t) => {
  const root = t.testdir({ weather: {} })
  const directory = join(root, 'weather')
  await copyFile(join(older.directory, 'repo'), join(directory, 'repo'))
  const { timing, listEvents, waitForMove } = await watch(t, { weather: openLocalStore(directory) }, ['weather'])
  const first = waitForMove()
  await timing.pass(500)
  await first
  const renamed = waitForMove()
  await writeFile(join(directory, 'repo#1'), newerBytes)
  await rename(join(directory, 'repo#1'), join(directory, 'repo'))
  await renamed
  t.strictSame(await listEvents(), [describeFirst('weather'), describeRewritten('weather')])
  const copied = waitForMove()
  await copyFile(join(older.directory, 'repo'), join(directory, 'repo'))
  await copied
  t.equal((await listEvents()).at(-1), `weather ${newer.head} -> ${older.head} history_rewritten`, 'also in place')
})

t.test(
  'a change while a repository is read for the first time is noticed before the next scheduled check',
  async (t) => {
    const root = t.testdir({ weather: {} })
    const directory = join(root, 'weather')
    const file = join(directory, 'repo')
    await copyFile(join(older.directory, 'repo'), file)
    const store = openLocalStore(directory)
    let isFirst = true
    const read: typeof store.read = async (key, options) => {
      const result = await store.read(key, options)
      if (isFirst && key === 'repo') await writeFile(file, newerBytes)
      if (key === 'repo') isFirst = false
      return result
    }
    const { location, encodesKeys } = store
    const list: typeof store.list = (prefix, options) => store.list(prefix, options)
    const below: typeof store.below = (prefix) => store.below(prefix)
    const changing = { location, encodesKeys, read, list, below }
    const { timing, listEvents, waitForMove } = await watch(t, { weather: changing }, ['weather'])
    const first = waitForMove()
    await timing.pass(500)
    await first
    if ((await listEvents()).length === 1) await waitForMove()
    t.strictSame(await listEvents(), [describeFirst('weather'), describeRewritten('weather')])
  },
)

t.test('changes of a version 1 repository, and in a directory that was replaced, are noticed too', async (t) => {
  const history = await readHistory('weather-v1')
  const root = t.testdir()
  const directory = join(root, 'weather')
  for (const name of ['weather', 'restored']) await cp(history.directory, join(root, name), { recursive: true })
  const { timing, listEvents, waitForMove } = await watch(t, { weather: openLocalStore(directory) }, ['weather'])
  const ref = join(directory, 'refs/branch.main/ref.json')
  const first = waitForMove()
  await timing.pass(500)
  await first
  const second = waitForMove()
  await writeFile(ref, JSON.stringify({ snapshot: history.ids[1] }))
  await second
  const restored = waitForMove()
  await rename(directory, join(root, 'gone'))
  await rename(join(root, 'restored'), directory)
  await timing.pass(2 * intervalMs)
  await restored
  await timing.pass(2 * intervalMs)
  const third = waitForMove()
  await writeFile(ref, JSON.stringify({ snapshot: history.ids[2] }))
  await third
  const [a, b, c] = history.ids
  t.strictSame(await listEvents(), [
    `weather null -> ${a} first_observation`,
    `weather ${a} -> ${b} repo_format_v1`,
    `weather ${b} -> ${a} repo_format_v1`,
    `weather ${a} -> ${c} repo_format_v1`,
  ])
})
