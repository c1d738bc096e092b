// What readers rely on of each dataset.
import type { DatasetDict } from '@floe/client'
import type { DatasetContract } from '@floe/contract'
import { readContracts } from '../../../reading/compatibility/read-contracts.ts'
import type { DatasetReader } from '../datasets/dataset-source.ts'

/** What readers rely on of one dataset. */
export type Contract = DatasetContract['datasets'][string]

/** Reads contracts. All datasets of a ref are read from one snapshot. */
export const contractReader: DatasetReader<Contract> = {
  *fromSnapshot({ snapshot }, signal) {
    for (const { path, ...read } of readContracts(snapshot, '', signal))
      yield { path, ...('contract' in read ? { value: read.contract } : read) }
  },
  fromService: async (floe, { repo, snapshotId: ref, group }, signal) =>
    toContract(await floe.dict({ repo, ref, group }, { signal })),
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
