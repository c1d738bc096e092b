// The lines of the log about repositories that scans find, or no longer find.
import { defaultLimits } from '@floe/storage/icechunk'
import { t } from 'tap'
import { Catalog } from '../../../server/catalog/catalog.ts'
import { recordStates } from '../observation/record-states.ts'
import { ManualTiming } from '../notifications/manual-timing.ts'
import { type Mood, makeMoodyStore } from './moody-store.ts'

const listNames = (count: number) => Array.from({ length: count }, (_, index) => `ice-${index}`)

/** A catalog of one scanned location, whose repositories a test changes. */
function openCatalog(first: readonly string[]) {
  const timing = new ManualTiming()
  const { states, lines } = recordStates(timing.elapsed)
  const names = [...first]
  const mood: Mood = { is: 'well' }
  const sources = [{ kind: 'scan' as const, store: makeMoodyStore(names, mood) }]
  const catalog = new Catalog('acme', sources, {
    ensureIds: async () => new Map(),
    timing,
    limits: defaultLimits,
    states,
  })
  /** Scans the location, in which there are these repositories. */
  const scan = async (now: readonly string[]) => {
    names.splice(0, names.length, ...now)
    await timing.pass(2_000)
    lines.length = 0
    await Promise.all(catalog.refresh())
    return [...lines]
  }
  return { scan, mood }
}

t.test('what the first scan finds has no lines', async (t) => {
  const { scan } = openCatalog([])
  t.strictSame(await scan(listNames(1_000)), [])
})

t.test('a repository that appears or goes has a line', async (t) => {
  const { scan } = openCatalog([])
  await scan(['a', 'b'])
  const about = { level: 'info', org: 'acme', omitted: 0 }
  t.strictSame(await scan(['b', 'c']), [
    { ...about, message: 'a repository appeared', repo: 'c' },
    { ...about, message: 'a repository is gone', repo: 'a' },
  ])
  t.strictSame(await scan(['b', 'c']), [])
})

// Proves: the log says which repositories appear and go; many at once are one line
t.test('many that appear or go in one scan are one line, which names the first ten', async (t) => {
  const { scan } = openCatalog([])
  await scan([])
  const repos = [...listNames(1_000).slice(0, 10), 'and 990 more']
  const about = { level: 'info', org: 'acme', count: 1_000, repos, omitted: 0 }
  t.strictSame(await scan(listNames(1_000)), [{ ...about, message: 'repositories appeared' }])
  t.strictSame(await scan([]), [{ ...about, message: 'repositories are gone' }])
})

t.test('repositories of a location that cannot be listed are not gone', async (t) => {
  const { scan, mood } = openCatalog([])
  await scan(['a'])
  mood.is = 'down'
  t.match(await scan(['a']), [{ message: 'repositories cannot be listed' }])
  mood.is = 'well'
  t.strictSame(await scan(['a']), [], 'the line that it can be listed again comes later')
})

t.test('an organisation whose repositories come and go has 50 lines in five minutes', async (t) => {
  const { scan } = openCatalog([])
  await scan([])
  let count = 0
  for (let n = 0; n < 100; n++) count += (await scan(n % 2 === 0 ? ['a'] : [])).length
  t.equal(count, 50)
})
