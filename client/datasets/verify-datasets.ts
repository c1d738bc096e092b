import type { CallOptions } from '../calls.ts'
import type { ReaderMethods } from '../generated/reader-methods.ts'
import type { ContractVerdict, DatasetChange, DatasetContract } from '../generated/types.ts'
import type { DatasetContracts } from './dataset-contracts.ts'

/** A ref whose datasets break their contracts, or may break them. */
export type BrokenContract = {
  readonly repo: string
  readonly ref: string
  /** What the service answered. Its verdict is `breaking` or `unknown`. */
  readonly answer: ContractVerdict
}

/** A change that breaks a contract, or may break it, and where. */
export type BreakingChange = DatasetChange & {
  readonly repo: string
  readonly ref: string
  /** Path of the dataset; the root is `""`. */
  readonly group: string
}

/** Datasets do not keep their contracts, or it is unknown whether they do. */
export class ContractBrokenError extends Error {
  override readonly name = 'ContractBrokenError'
  /** The answers about the refs that do not keep their contracts, in the order of the contracts. */
  readonly broken: readonly BrokenContract[]
  /** The changes in these answers that are not compatible. */
  readonly changes: readonly BreakingChange[]

  constructor(broken: readonly BrokenContract[]) {
    const changes = broken.flatMap(listChanges)
    super(writeMessage(broken, changes))
    this.broken = broken
    this.changes = changes
  }
}

function listChanges({ repo, ref, answer }: BrokenContract): BreakingChange[] {
  return answer.datasets.flatMap(({ group, changes }) =>
    changes.filter(({ verdict }) => verdict !== 'compatible').map((change) => ({ repo, ref, group, ...change })),
  )
}

/** Number of changes that the message names. */
const namedChanges = 3

function writeMessage(broken: readonly BrokenContract[], changes: readonly BreakingChange[]): string {
  const refs = new Set(broken.map(({ repo, ref, answer }) => `${repo} ${ref} (${answer.verdict})`))
  const named = changes
    .slice(0, namedChanges)
    .map(({ group, kind, variable, dimension }) => `${group} ${kind} ${variable ?? dimension ?? ''}`.trim())
  if (changes.length > namedChanges) named.push('...')
  return [`Contracts of datasets are not kept: ${[...refs].join(', ')}`, ...named].join('; ')
}

/** Number of questions at the same time. */
const maxQuestions = 4

/**
 * Asks the service about the contracts of each ref.
 *
 * @throws ContractBrokenError, and what `check` throws
 */
export async function verifyDatasets(
  contracts: DatasetContracts,
  check: ReaderMethods['checkContract'],
  call?: CallOptions,
): Promise<void> {
  const questions = Object.entries(contracts).flatMap(([repo, refs]) =>
    Object.entries(refs).flatMap(([ref, datasets]) =>
      splitContract(datasets).map((contract) => ({ repo, ref, contract })),
    ),
  )
  const answers: ContractVerdict[] = []
  const waiting = [...questions.entries()]
  const ask = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, { repo, ref, contract }] = next
      answers[index] = await check({ repo, ref }, contract, call)
    }
  }
  try {
    await Promise.all(Array.from({ length: maxQuestions }, ask))
  } finally {
    // After a failure, the others need not be asked.
    waiting.length = 0
  }
  const broken = questions.flatMap(({ repo, ref }, index) => {
    const answer = answers[index]
    return answer && !keepingVerdicts.has(answer.verdict) ? [{ repo, ref, answer }] : []
  })
  if (broken.length > 0) throw new ContractBrokenError(broken)
}

/** Other verdicts, such as `unknown` and those of later versions of the service, promise nothing. */
const keepingVerdicts: ReadonlySet<string> = new Set(['identical', 'compatible'])

/** The most bytes, datasets, dimensions and variables of one contract. The outermost braces count as bytes. */
const contractLimits = [1_048_576 - 100, 10_000, 10_000, 10_000] as const

/**
 * Splits the contracts of a ref into documents that the service takes; there is usually one. A dataset that alone
 * exceeds a limit is sent too, and the service names the limit.
 */
function splitContract(contracts: DatasetContracts[string][string]): DatasetContract[] {
  const parts: DatasetContract[] = []
  let used: readonly number[] = []
  // A copy, because a body can be changed, and contracts cannot have members called `__proto__`.
  const copy: DatasetContract['datasets'] = JSON.parse(
    JSON.stringify(contracts, (name, value: unknown) => (name === '__proto__' ? undefined : value)),
  )
  for (const [group, dataset] of Object.entries(copy)) {
    const sizes = [
      new TextEncoder().encode(JSON.stringify({ [group]: dataset })).length,
      1,
      Object.keys(dataset.dimensions ?? {}).length,
      Object.keys(dataset.variables ?? {}).length,
    ]
    const sums = sizes.map((size, index) => size + (used[index] ?? Infinity))
    const part = sums.every((sum, index) => sum <= (contractLimits[index] ?? 0)) ? parts.at(-1) : undefined
    if (part) part.datasets[group] = dataset
    else parts.push({ version: 1, datasets: { [group]: dataset } })
    used = part ? sums : sizes
  }
  return parts
}
