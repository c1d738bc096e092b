import { MemoryStore } from '../../../storage/memory-store.ts'
import { buildId, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'

/** A version 1 repository with this many commits; the first snapshot is number 1, and `main` the last. */
export function buildVersion1(count: number): MemoryStore {
  const ref = Buffer.from(JSON.stringify({ snapshot: buildId(count) }))
  const store = new MemoryStore([['refs/branch.main/ref.json', ref]])
  for (let number = 1; number <= count; number++) {
    const parent = number > 1 ? { parent: buildId(number - 1) } : {}
    const bytes = buildSnapshot({ version: 1, id: buildId(number), message: `commit ${number}`, ...parent })
    store.objects.set(`snapshots/${buildId(number)}`, bytes)
  }
  return store
}
