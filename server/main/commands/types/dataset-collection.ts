// The datasets that were read, within limits.
import { datasetContractLimits } from '@floe/contract'
import type { ByDataset } from './collect-schemas.ts'
import type { Contract } from './contract-reader.ts'

/** Types of the datasets cannot be written. */
export class DatasetTypesError extends Error {
  override name = 'DatasetTypesError'
}

/** Most of each in one module. A compiler could not work with more. */
const limits = { repositories: 1_000, datasets: 10_000, variables: 250_000 }

/** Collects datasets. */
export class DatasetCollection {
  readonly #datasets = new Map<string, Map<string, Map<string, Contract>>>()
  #counts = { datasets: 0, variables: 0 }

  get datasets(): ByDataset<Contract> {
    return this.#datasets
  }

  /** Number of datasets. */
  get count(): number {
    return this.#counts.datasets
  }

  /** @throws DatasetTypesError if these are too many repositories */
  checkRepositories(names: readonly string[]): void {
    if (names.length > limits.repositories) this.#refuse('repositories')
  }

  /** @throws DatasetTypesError if a limit is exceeded */
  add(repo: string, ref: string, group: string, contract: Contract): void {
    const { datasets, variables } = this.#counts
    this.#counts = { datasets: datasets + 1, variables: variables + countMembers(contract.variables) }
    if (this.#counts.datasets > limits.datasets) this.#refuse('datasets')
    if (this.#counts.variables > limits.variables) this.#refuse('variables')
    for (const kind of ['variables', 'dimensions'] as const) {
      if (countMembers(contract[kind]) <= datasetContractLimits[kind]) continue
      const most = datasetContractLimits[kind].toLocaleString('en')
      throw new DatasetTypesError(
        `${repo} ${ref} ${group} has more than ${most} ${kind}, the most that a contract can have`,
      )
    }
    const refs = getOrAdd(this.#datasets, repo, () => new Map<string, Map<string, Contract>>())
    getOrAdd(refs, ref, () => new Map<string, Contract>()).set(group, contract)
  }

  #refuse(kind: keyof typeof limits): never {
    const most = limits[kind].toLocaleString('en')
    throw new DatasetTypesError(
      `there are more than ${most} ${kind}, the most for one module; choose fewer with --repo`,
    )
  }
}

function countMembers(members: object = {}): number {
  return Object.keys(members).length
}

function getOrAdd<Value>(map: Map<string, Value>, name: string, make: () => Value): Value {
  const known = map.get(name)
  if (known !== undefined) return known
  const made = make()
  map.set(name, made)
  return made
}
