// What one question reads and computes.
import type { ManifestId, NamedManifest } from '@floe/storage/icechunk'
import { t } from 'tap'
import { planReading, ReadAllowance } from '../../../../server/reading/gaps/read-plan.ts'
import { manifestLimits } from '../../../../server/reading/manifests/snapshot-manifests.ts'

const name = (id: number, changes: Partial<NamedManifest> = {}): NamedManifest => ({
  id: `${id}` as ManifestId, // only compared
  storedBytes: 100,
  references: 2,
  isShared: false,
  ranges: [[0, 3]],
  ...changes,
})

t.test('only a manifest whose positions are open is read', (t) => {
  const sparse = name(1)
  const full = name(2, { ranges: [[3, 5]] })
  const empty = name(3, { references: 0, ranges: [[0, 0]] })
  const shared = name(4, { references: 3, isShared: true })
  const beyond = name(5, { references: 1, ranges: [[9, 11]] })
  t.match(planReading([10], [sparse, full, empty]), {
    boxes: [{ first: [3], size: [2] }],
    manifests: [sparse],
    counted: 4,
    isCounted: true,
  })
  for (const open of [shared, beyond])
    t.match(planReading([10], [open, full]), { boxes: [{}], manifests: [open], counted: 2, isCounted: false })
  t.match(planReading([], [name(1, { references: 1, ranges: [] })]), { boxes: [{}], manifests: [], counted: 1 })
  t.equal(planReading([10], [name(1, { references: 4 })]), 'contradictory')
  t.equal(planReading([10, 10], [sparse]), 'contradictory')
  t.end()
})

t.test('the positions of one array, and of all, are limited', (t) => {
  t.strictSame(new ReadAllowance().take([2 ** 14, 2 ** 14], []), { reason: 'too_large', isLater: false })
  t.strictSame(new ReadAllowance().take([2 ** 24 + 1], []), { reason: 'too_large', isLater: false })
  const allowance = new ReadAllowance()
  for (const _ of [1, 2, 3, 4]) t.equal(allowance.take([2 ** 13, 2 ** 14], []), undefined)
  t.strictSame(allowance.take([1], []), { reason: 'too_large', isLater: true })
  t.end()
})

t.test('the manifests of one array, and of all, are limited', (t) => {
  const allowance = new ReadAllowance()
  t.ok(allowance.isWhole)
  const many = Array.from({ length: manifestLimits.manifests }, (_, index) => name(index))
  t.strictSame(allowance.take([10], [...many, name(-1)]), { reason: 'too_many_manifests', isLater: false })
  t.ok(allowance.isWhole)
  t.equal(allowance.take([10], many), undefined)
  t.notOk(allowance.isWhole)
  t.equal(allowance.take([10], many.slice(5)), undefined, 'shared ones count once')
  t.strictSame(allowance.take([10], [name(-1)]), { reason: 'too_many_manifests', isLater: true })
  t.equal(allowance.take([10], []), undefined)
  t.end()
})

t.test('the bytes of manifests are limited', (t) => {
  const allowance = new ReadAllowance()
  const half = { storedBytes: manifestLimits.storedBytes / 2 }
  t.equal(allowance.take([10], [name(1, half)]), undefined)
  const tooLarge = [name(2, half), name(3, half), name(4)]
  t.strictSame(allowance.take([10], tooLarge), { reason: 'too_many_manifests', isLater: false })
  t.strictSame(allowance.take([10], [name(2, half), name(3)]), { reason: 'too_many_manifests', isLater: true })
  t.equal(allowance.take([10], [name(1, half), name(2, half)]), undefined)
  t.end()
})
