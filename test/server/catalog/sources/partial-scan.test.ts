// A scanned location that takes longer than a scan may.
import { t } from 'tap'
import { SourceScan } from '../../../../server/catalog/sources/source-scan.ts'
import { ManualTiming } from '../../notifications/manual-timing.ts'
import { makeMoodyStore } from '../moody-store.ts'

/** A location of 1,000 directories, half of them repositories, whose reads take a second each until `hurry`. */
function openSlow() {
  const timing = new ManualTiming()
  const names = Array.from({ length: 1_000 }, (_, index) => `${index % 2 === 0 ? 'ice' : 'empty'}-${index}`)
  const repositories = names.filter((name) => name.startsWith('ice'))
  const listed = [...names]
  const place = makeMoodyStore(repositories, { is: 'well' })
  let reads = 0
  let readMs = 1_000
  const store = Object.assign(place, {
    list: async () => ({ objects: [], prefixes: [...listed] }),
    below: (prefix: string) => ({
      ...makeMoodyStore(repositories, { is: 'well' }).below(prefix),
      exists: async (key: string) => {
        reads++
        if (readMs > 0) await new Promise<void>((resolve) => timing.after(readMs, resolve))
        return key === 'repo' && repositories.includes(prefix.slice(0, -1))
      },
    }),
  })
  const failures: unknown[] = []
  const changed: string[] = []
  const onChange = (names: readonly string[]) => void changed.push(...names)
  const scan = new SourceScan(store, { org: 'acme', timing, onChange, onEnd: (failure) => failures.push(failure) })
  const hurry = (ms: number) => (readMs = ms)
  return { scan, timing, listed, failures, changed, hurry, countReads: () => reads }
}

t.test('a scan that reaches its time limit keeps what it has found, and the next one continues', async (t) => {
  const { scan, timing, failures, changed, countReads } = openSlow()
  const first = scan.refresh()
  await timing.pass(30_000, 500)
  await first
  const found = scan.names.size
  t.ok(found > 100 && found < 400, `${found} repositories after one scan`)
  t.equal(changed.length, found)
  t.ok(scan.isPartial && scan.isUsable && !scan.isFresh, 'the list can be used, and is not complete')
  for (let scans = 0; scan.isPartial && scans < 5; scans++) {
    const next = scan.refresh()
    await timing.pass(30_000, 500)
    await next
  }
  t.equal(scan.names.size, 500)
  t.strictSame(new Set(failures), new Set([undefined]))
  // Directories without a repository are read twice, for each format version; those being read at a time limit are read
  // again.
  t.ok(countReads() < 1_500 + 5 * 2 * 32, `${countReads()} reads`)
})

t.test('a repository vanishes only when a scan has seen everything', async (t) => {
  const { scan, timing, listed, changed, hurry } = openSlow()
  const first = scan.refresh()
  await timing.pass(10_000, 500)
  const [gone = ''] = scan.names
  listed.splice(listed.indexOf(gone), 1)
  await timing.pass(20_000, 500)
  await first
  const second = scan.refresh()
  await timing.pass(5_000, 500)
  t.ok(scan.names.has(gone))
  hurry(0)
  await timing.pass(5_000, 500)
  await second
  t.notOk(scan.isPartial)
  t.notOk(scan.names.has(gone))
  t.equal(changed.at(-1), gone)
  t.equal(scan.names.size, 499)
})

t.test('a location where every read hangs has failed', async (t) => {
  const { scan, timing, failures, hurry } = openSlow()
  hurry(Infinity)
  const first = scan.refresh()
  await timing.pass(30_000, 500)
  await first
  t.match(failures, [{ message: /took longer than 30 s/ }])
  t.notOk(scan.isPartial || scan.isUsable)
})
