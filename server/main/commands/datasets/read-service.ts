// The datasets that a service has.
import { type Client, ProblemResponseError } from '@floe/client'
import { explainServiceFailure } from '../access/open-client.ts'
import {
  concernsOne,
  type DatasetNames,
  type DatasetReader,
  type DatasetSource,
  LeftOutError,
  type ReadDataset,
} from './dataset-source.ts'

/** Number of datasets that are read at the same time. */
const maxReads = 8

/** Reads datasets over HTTP. */
export function openServiceSource<Value>(
  floe: Client,
  reader: DatasetReader<Value>,
  signal: AbortSignal,
): DatasetSource<Value> {
  const call = { signal }
  return {
    listRepositories: () => floe.repositories(call).catch(explainServiceFailure),
    async *readDatasets(repo, ref) {
      const { snapshotId, paths } = await listDatasets(floe, repo, ref, signal).catch(explainRefFailure)
      for (let start = 0; start < paths.length; start += maxReads) {
        const part = paths.slice(start, start + maxReads).map((group) => ({ repo, ref, snapshotId, group }))
        yield* await Promise.all(part.map((names) => readDataset(floe, reader, names, signal)))
      }
    },
  }
}

/** Lists datasets at the snapshot of a ref, so that all of them are read from one snapshot. */
async function listDatasets(floe: Client, repo: string, ref: string, signal: AbortSignal) {
  const { commits } = await floe.historyPage({ repo, ref, limit: 1 }, { signal })
  const snapshotId = commits[0]?.snapshot_id ?? ref
  return { snapshotId, paths: await floe.datasets({ repo, ref: snapshotId }, { signal }) }
}

async function readDataset<Value>(
  floe: Client,
  reader: DatasetReader<Value>,
  names: DatasetNames,
  signal: AbortSignal,
): Promise<ReadDataset<Value>> {
  const path = names.group
  try {
    return { path, value: await reader.fromService(floe, names, signal) }
  } catch (error) {
    if (error instanceof ProblemResponseError && concernsOne(error.code))
      return { path, unreadable: error.problem.detail }
    // The client throws it for a name that no address can contain.
    if (error instanceof TypeError) return { path, unreadable: error.message }
    return explainServiceFailure(error)
  }
}

function explainRefFailure(error: unknown): never {
  if (error instanceof ProblemResponseError && concernsOne(error.code))
    throw new LeftOutError(error.problem.detail, { cause: error })
  return explainServiceFailure(error)
}
