// The datasets that a service has.
import { type Client, type DatasetDict, FloeError, ProblemResponseError } from '@floe/client'
import { ServiceError } from '../command.ts'
import { concernsOne, type Contract, type DatasetSource, LeftOutError, type ReadDataset } from './dataset-source.ts'

/** Number of datasets that are read at the same time. */
const maxReads = 8

/** Reads datasets over HTTP. */
export function openServiceSource(floe: Client, signal: AbortSignal): DatasetSource {
  const call = { signal }
  return {
    listRepositories: () => floe.repositories(call).catch(explainServiceFailure),
    async *readDatasets(repo, ref) {
      const { at, paths } = await listDatasets(floe, repo, ref, signal).catch(explainRefFailure)
      for (let start = 0; start < paths.length; start += maxReads) {
        const part = paths.slice(start, start + maxReads)
        yield* await Promise.all(part.map((path) => readDataset(floe, { repo, ref: at, group: path }, signal)))
      }
    },
  }
}

/** Lists datasets at the snapshot of a ref, so that all of them are read from one snapshot. */
async function listDatasets(floe: Client, repo: string, ref: string, signal: AbortSignal) {
  const { commits } = await floe.historyPage({ repo, ref, limit: 1 }, { signal })
  const at = commits[0]?.snapshot_id ?? ref
  return { at, paths: await floe.datasets({ repo, ref: at }, { signal }) }
}

async function readDataset(
  floe: Client,
  names: { readonly repo: string; readonly ref: string; readonly group: string },
  signal: AbortSignal,
): Promise<ReadDataset> {
  const path = names.group
  try {
    return { path, contract: toContract(await floe.dict(names, { signal })) }
  } catch (error) {
    if (error instanceof ProblemResponseError && concernsOne(error.code))
      return { path, unreadable: error.problem.detail }
    // The client throws it for a name that no address can contain.
    if (error instanceof TypeError) return { path, unreadable: error.message }
    return explainServiceFailure(error)
  }
}

/** Describes a dataset as a contract, as `floe contract` does. */
function toContract({ coords, data_vars }: DatasetDict): Contract {
  const variables = [
    ...Object.entries(data_vars).map(([name, variable]) => ({ name, role: 'data' as const, ...variable })),
    ...Object.entries(coords).map(([name, variable]) => ({ name, role: 'coordinate' as const, ...variable })),
  ]
  const dimensions = variables.flatMap(({ dims }) => dims).filter((name) => name !== null)
  return {
    dimensions: Object.fromEntries(dimensions.map((name) => [name, {}])),
    variables: Object.fromEntries(
      variables.map(({ name, role, dtype, dims, attrs: { units, standard_name } }) => [
        name,
        {
          type: dtype,
          dimensions: dims,
          role,
          ...(typeof units === 'string' && { units }),
          ...(typeof standard_name === 'string' && { standard_name }),
        },
      ]),
    ),
  }
}

function explainRefFailure(error: unknown): never {
  if (error instanceof ProblemResponseError && concernsOne(error.code))
    throw new LeftOutError(error.problem.detail, { cause: error })
  return explainServiceFailure(error)
}

function explainServiceFailure(error: unknown): never {
  throw error instanceof FloeError ? new ServiceError(error.message, { cause: error }) : error
}
