// A contract in a file.
import { open } from 'node:fs/promises'
import { checkDatasetContract, datasetContractLimits, DatasetContract, findDatasetContractExcess } from '@floe/contract'
import { usePlainMessages } from '../../problems/plain-messages.ts'
import { explainRefusedValue } from '../../problems/validation-problem.ts'
import { parseContractJson } from '../../reading/compatibility/check-contract.ts'

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
