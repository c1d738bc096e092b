// A contract that a command reads or writes.
import { datasetContractLimits, type DatasetContract, findDatasetContractExcess } from '@floe/contract'
import { ContractFileError } from '../../configuration/read-contract-file.ts'

/**
 * Selects the datasets at and below a group.
 *
 * @throws ContractFileError if there is none
 */
export function selectDatasets(contract: DatasetContract, group: string | undefined, path: string): DatasetContract {
  if (group === undefined || group === '') return contract
  const selected = Object.entries(contract.datasets).filter(([name]) => name === group || name.startsWith(`${group}/`))
  if (selected.length === 0) throw new ContractFileError(`${path} has no dataset at or below ${group}`)
  return { ...contract, datasets: Object.fromEntries(selected) }
}

/**
 * Writes a contract as text, without members called `__proto__`, which no contract can have.
 *
 * @throws ContractFileError if it is larger than a contract may be
 */
export function writeContractText(contract: DatasetContract): string {
  const text = `${JSON.stringify(contract, omitPrototype, 2)}\n`
  const excess =
    findDatasetContractExcess(contract) ??
    (Buffer.byteLength(text) > datasetContractLimits.bytes ? 'has more than 1 MiB' : undefined)
  if (excess === undefined) return text
  throw new ContractFileError(`the contract ${excess}, which is too large; choose fewer datasets with --group`)
}

function omitPrototype(name: string, value: unknown): unknown {
  return name === '__proto__' ? undefined : value
}
