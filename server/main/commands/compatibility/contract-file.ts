// A contract in a file.
import { open } from 'node:fs/promises'
import { checkDatasetContract, datasetContractLimits, DatasetContract, findDatasetContractExcess } from '@floe/contract'
import { usePlainMessages } from '../../../problems/plain-messages.ts'
import { explainRefusedValue } from '../../../problems/validation-problem.ts'
import { parseContractJson } from '../../../reading/compatibility/check-contract.ts'

/** A contract cannot be read or made. */
export class ContractFileError extends Error {
  override name = 'ContractFileError'
}

/** @throws ContractFileError */
export async function readContractFile(path: string): Promise<DatasetContract> {
  const text = await readText(path)
  let value: unknown
  try {
    value = parseContractJson(text)
  } catch (cause) {
    throw new ContractFileError(`${path} cannot be read as JSON${cause instanceof Error ? `: ${cause.message}` : ''}`, {
      cause,
    })
  }
  const excess = findDatasetContractExcess(value)
  if (excess !== undefined) throw new ContractFileError(`${path} ${excess}`)
  usePlainMessages()
  for (const error of checkDatasetContract(value)) {
    if (error === undefined) continue
    throw new ContractFileError(`${path}: ${explainRefusedValue(error, 'contract').message}`, { cause: error })
  }
  return DatasetContract.parse(value)
}

function omitPrototype(name: string, value: unknown): unknown {
  return name === '__proto__' ? undefined : value
}

async function readText(path: string): Promise<string> {
  const { bytes: maxBytes } = datasetContractLimits
  try {
    await using file = await open(path)
    const buffer = Buffer.alloc(maxBytes + 1)
    let length = 0
    // A file system may return less than asked for.
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length)
      length += bytesRead
      if (bytesRead === 0 || length === buffer.length) break
    }
    if (length > maxBytes) throw new ContractFileError(`${path} has more than 1 MiB`)
    return buffer.toString('utf8', 0, length)
  } catch (cause) {
    if (cause instanceof ContractFileError || !(cause instanceof Error)) throw cause
    throw new ContractFileError(`${path} cannot be read: ${cause.message}`, { cause })
  }
}

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
