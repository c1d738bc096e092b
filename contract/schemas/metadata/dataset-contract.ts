// The contract of datasets: what their readers rely on. It is one JSON document, which people edit.
import { z } from 'zod'
import { Count } from '../values.ts'

/** The longest document in bytes, and how many of each a contract may name. A larger one is answered with 413. */
export const datasetContractLimits = {
  bytes: 1_048_576,
  datasets: 10_000,
  variables: 10_000,
  dimensions: 10_000,
} as const

const GroupKey = z
  .string()
  .max(4_096)
  .regex(/^(?:[^/]+(?:\/[^/]+)*)?$/, 'must be the path of a group without a slash at its ends; "" is the root group')

const ContractedDimension = z
  .strictObject({
    size: Count.optional().describe('Number of elements, only where it is fixed: another size breaks the contract'),
  })
  .meta({ id: 'ContractedDimension', description: 'A dimension that readers rely on' })

const ContractedVariable = z
  .strictObject({
    type: z.string().optional().describe('Text of the decoded numpy dtype, as `dict` shows it'),
    dimensions: z
      .array(z.string().nullable())
      .optional()
      .describe('Names of its dimensions, in their order; null is a dimension without a name'),
    role: z.enum(['coordinate', 'data']).optional().describe('Whether it is a coordinate or a data variable'),
    units: z.string().optional().describe('Its `units`; another spelling of the same unit keeps the contract'),
    standard_name: z.string().optional().describe('Its `standard_name`; an alias of the same name keeps the contract'),
  })
  .meta({ id: 'ContractedVariable', description: 'A variable, and what readers rely on in it' })

const ContractedDataset = z
  .strictObject({
    dimensions: z.record(z.string(), ContractedDimension).optional().describe('Dimensions that must exist, by name'),
    variables: z.record(z.string(), ContractedVariable).optional().describe('Variables that must exist, by name'),
  })
  .meta({ id: 'ContractedDataset', description: 'A dataset that must exist' })

/** Says why a `version` is refused. */
const refuseVersion = ({ input }: { readonly input: unknown }) =>
  input === undefined ? 'is required' : 'must be 1, the only version of contracts that this version of Floe knows'

export const DatasetContract = z
  .strictObject({
    version: z.literal(1, { error: refuseVersion }).describe('Version of the form of this document'),
    datasets: z.record(GroupKey, ContractedDataset).describe('Datasets by the paths of their groups; the root is `""`'),
  })
  .meta({
    id: 'DatasetContract',
    title: 'Dataset contract',
    description:
      'What readers of datasets rely on. What it leaves out is not part of the contract, and may change. At most ' +
      '1 MiB, and 10,000 datasets, dimensions and variables each',
    examples: [
      {
        version: 1,
        datasets: {
          forecast: {
            dimensions: { time: {}, latitude: { size: 5 } },
            variables: {
              temperature: { type: 'float64', dimensions: ['time', 'latitude'], role: 'data', units: 'K' },
              latitude: { role: 'coordinate', standard_name: 'latitude' },
            },
          },
        },
      },
    ],
  })
export type DatasetContract = z.infer<typeof DatasetContract>

/**
 * Says which limit a contract exceeds, as `has more than 10,000 variables`; undefined if none. The value need not be a
 * valid contract: a large one is refused before its members are checked, which takes time.
 */
export function findDatasetContractExcess(contract: unknown): string | undefined {
  const counts = { datasets: 0, dimensions: 0, variables: 0 }
  for (const dataset of Object.values(readObject(contract, 'datasets') ?? {})) {
    counts.datasets++
    counts.dimensions += Object.keys(readObject(dataset, 'dimensions') ?? {}).length
    for (const variable of Object.values(readObject(dataset, 'variables') ?? {})) {
      counts.variables++
      if (Object.keys(readObject(variable, 'dimensions') ?? {}).length > maxVariableDimensions)
        return `has a variable of more than ${maxVariableDimensions} dimensions`
    }
  }
  for (const kind of ['datasets', 'dimensions', 'variables'] as const)
    if (counts[kind] > datasetContractLimits[kind])
      return `has more than ${datasetContractLimits[kind].toLocaleString('en')} ${kind}`
  return undefined
}

/** As many as numpy allows. */
const maxVariableDimensions = 64

/** A contract with more unknown members is refused before zod lists them: 60,000 would take tens of milliseconds. */
const maxUnknownMembers = 100

/** Counts the members of all objects of a contract that their schemas do not have. */
function countUnknownMembers(contract: unknown): number {
  const count = (value: unknown, { shape }: z.ZodObject) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value).filter((name) => !Object.hasOwn(shape, name)).length
      : 0
  let total = count(contract, DatasetContract)
  for (const dataset of Object.values(readObject(contract, 'datasets') ?? {})) {
    total += count(dataset, ContractedDataset)
    for (const dimension of Object.values(readObject(dataset, 'dimensions') ?? {}))
      total += count(dimension, ContractedDimension)
    for (const variable of Object.values(readObject(dataset, 'variables') ?? {}))
      total += count(variable, ContractedVariable)
  }
  return total
}

/** Number of variables that are checked at a time. */
const partLength = 100

/**
 * Checks a value that exceeds no limit, part by part, and yields what is wrong in each part: zod needs tens of
 * milliseconds for a whole contract of the largest size, and fails if it finds too many mistakes.
 */
export function* checkDatasetContract(contract: unknown): Generator<z.ZodError | undefined> {
  if (countUnknownMembers(contract) > maxUnknownMembers) {
    const message = `has more than ${maxUnknownMembers} unknown members`
    return yield new z.ZodError([{ code: 'custom', path: [], message }])
  }
  const datasets = readObject(contract, 'datasets')
  if (datasets === undefined || Array.isArray(datasets)) return yield DatasetContract.safeParse(contract).error
  yield DatasetContract.safeParse({ ...(contract as object), datasets: {} }).error // it has a member
  for (const [path, dataset] of Object.entries(datasets)) {
    const check = (part: unknown) => DatasetContract.safeParse({ version: 1, datasets: { [path]: part } }).error
    const variables = readObject(dataset, 'variables')
    if (variables === undefined || Array.isArray(variables)) {
      yield check(dataset)
      continue
    }
    yield check({ ...(dataset as object), variables: {} }) // it has a member
    const entries = Object.entries(variables)
    for (let start = 0; start < entries.length; start += partLength)
      yield check({ variables: Object.fromEntries(entries.slice(start, start + partLength)) })
  }
}

/** Reads a member that is an object or a list; undefined if it is neither. */
function readObject(value: unknown, name: string): object | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const member: unknown = Reflect.get(value, name)
  return typeof member === 'object' && member !== null ? member : undefined
}

/** The `$id` of the schema. It is not an address, because every service serves its own copy. */
const schemaId = 'urn:floe:schema:dataset-contract'

/** Creates the JSON Schema of contracts (draft 2020-12), for editors and programs in any language. */
export function createDatasetContractSchema(): Record<string, unknown> {
  const { $schema, $defs = {}, ...root } = z.toJSONSchema(DatasetContract, { io: 'input', target: 'draft-2020-12' })
  return { $schema, $id: schemaId, ...root, $defs }
}
