// Prints what Floe makes of every group of a repository, one JSON line for each, for scripts/compare-with-xarray.py.
//
//     node --conditions=@floe/source scripts/describe-groups.ts DIRECTORY REF
import { openRepository } from '@floe/storage/icechunk'
import { openLocalStore } from '@floe/storage/objects'
import { describeGroup } from './describe-group.ts'

const [directory, ref] = process.argv.slice(2)
if (directory === undefined || ref === undefined) throw new Error('usage: describe-groups.ts DIRECTORY REF')

const { signal } = new AbortController()
const repository = openRepository(openLocalStore(directory))
const { snapshotId } = await repository.resolve(ref, signal)
const snapshot = await repository.snapshot(snapshotId, signal)
for (const { path, kind } of snapshot.nodes.values()) {
  if (kind === 'group') console.log(JSON.stringify({ group: path, ...describeGroup(snapshot, path) }))
}
