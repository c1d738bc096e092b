// Repositories whose names no address can have.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { defaultLimits } from '@floe/storage/icechunk'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { z } from 'zod'
import { Catalog } from '../../../../server/catalog/catalog.ts'
import { makeReadingSignal } from '../../../../server/catalog/reading-signals.ts'
import { recordStates } from '../../observation/record-states.ts'
import { ManualTiming } from '../../notifications/manual-timing.ts'
import { fixtures, startServer } from '../../start-server.ts'

const unnameable = ['bell\u0007', 'line\nbreak', 'tab\tname', 'next\u0085line']
const why = 'a repository is not served: a name has at most 255 characters, and no control characters'

t.test('a repository that no address can name is not listed, and stands in the log once', async (t) => {
  const directory = t.testdir({ sound: { repo: 'x' } })
  const make = async (name: string) => {
    await mkdir(`${directory}/${name}`)
    await writeFile(`${directory}/${name}/repo`, 'x')
  }
  for (const name of unnameable.slice(0, 2)) await make(name)
  const timing = new ManualTiming()
  const { states, lines } = recordStates(timing.elapsed)
  const store = openLocalStore(directory)
  const catalog = new Catalog('acme', [{ kind: 'scan', store }], {
    ensureIds: async () => new Map(),
    timing,
    limits: defaultLimits,
    states,
  })
  const listAgain = async () => {
    await timing.pass(600_000)
    return catalog.listNames()
  }
  t.strictSame(await catalog.listNames(), ['sound'])
  t.strictSame(await listAgain(), ['sound'])
  t.equal(await catalog.find('line\nbreak', makeReadingSignal), undefined)
  const warn = (repo: string) => ({ level: 'warn', org: 'acme', repo, message: why })
  t.match(lines.toSorted(byRepo), [warn('bell\u0007'), warn('line\nbreak')])
  t.equal(lines.length, 2)
  for (const name of unnameable.slice(2)) await make(name)
  t.strictSame(await listAgain(), ['sound'])
  t.match(lines.slice(2).toSorted(byRepo), [warn('next\u0085line'), warn('tab\tname')])
  await rm(`${directory}/bell\u0007`, { recursive: true })
  await listAgain()
  await make('bell\u0007')
  await listAgain()
  t.match(lines.slice(4), [warn('bell\u0007')], 'one that comes back is said again')
  t.equal(lines.length, 5)
})

function byRepo(left: object, right: object): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1
}

t.test('everything that is listed can be asked', async (t) => {
  const directory = t.testdir({})
  const names = [...unnameable, 'x'.repeat(255), 'with space', 'ümlaut', '100%', 'a?b#c', '"quoted"']
  for (const name of names) await cp(`${fixtures}/weather`, `${directory}/${name}`, { recursive: true })
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(directory) }] })
  const repos = z.array(z.string()).parse(await (await server.get('discovery')).json())
  t.equal(repos.length, names.length - unnameable.length)
  for (const repo of repos) t.equal((await server.get(`discovery/${encodeURIComponent(repo)}`)).status, 200, repo)
})
