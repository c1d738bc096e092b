// A contract as the earlier of two states. It has only what readers rely on.
import type { DatasetContract } from '@floe/contract'
import type { JsonObject, JsonValue } from '@floe/storage/json'
import type { Change } from './change.ts'
import { compareStates } from './compare-states.ts'
import type { DatasetState, ReadableState, VariableState } from './dataset-state.ts'

type ContractedDataset = DatasetContract['datasets'][string]
type ContractedVariable = NonNullable<ContractedDataset['variables']>[string]

/** Attributes that a contract can have. */
const contracted = ['units', 'standard_name'] as const

/**
 * Lists what a dataset breaks of its contract, or keeps in another form, the worst first.
 *
 * @param after null if there is no dataset
 */
export function compareWithContract(contract: ContractedDataset, after: DatasetState | null): readonly Change[] {
  const expected = describeContract(contract)
  return compareStates(expected, after === null || 'unreadable' in after ? after : selectExpected(after, expected))
}

function describeContract({ dimensions = {}, variables = {} }: ContractedDataset): ReadableState {
  return {
    dimensions: Object.entries(dimensions).map(([name, { size }]) => ({
      name,
      ...(size !== undefined && { size: BigInt(size), isFixed: true }),
    })),
    variables: Object.entries(variables).map(([name, variable]) => describeVariable(name, variable)),
  }
}

function describeVariable(name: string, variable: ContractedVariable): VariableState {
  const { type, dimensions, role } = variable
  const attributes: JsonObject = new Map(
    contracted.flatMap((attribute) => {
      const value = variable[attribute]
      return value === undefined ? [] : [[attribute, value] as const]
    }),
  )
  return {
    name,
    ...(type !== undefined && { type }),
    ...(dimensions !== undefined && { dimensions }),
    ...(role !== undefined && { role }),
    ...(attributes.size > 0 && { attributes }),
  }
}

/** Selects what a contract names. Nobody relies on the rest, so it is not listed as added. */
function selectExpected({ dimensions, variables }: ReadableState, expected: ReadableState): ReadableState {
  const expectedDimensions = new Set(expected.dimensions.map(({ name }) => name))
  const expectedVariables = new Map(expected.variables.map((variable) => [variable.name, variable]))
  return {
    dimensions: dimensions.filter(({ name }) => expectedDimensions.has(name)),
    variables: variables.flatMap((variable) => {
      const wanted = expectedVariables.get(variable.name)
      if (wanted === undefined) return []
      return [{ ...variable, attributes: selectAttributes(variable.attributes, wanted.attributes) }]
    }),
  }
}

function selectAttributes(attributes: JsonObject = new Map(), wanted: JsonObject = new Map()): JsonObject {
  return new Map([...attributes].filter(([name]) => wanted.has(name)))
}

/** Describes a dataset as a contract, without sizes: a state does not show which of them are fixed. */
export function writeContract({ dimensions, variables }: ReadableState): ContractedDataset {
  return {
    dimensions: Object.fromEntries(dimensions.flatMap(({ name }) => (name === null ? [] : [[name, {}] as const]))),
    variables: Object.fromEntries(variables.map((variable) => [variable.name, writeVariable(variable)])),
  }
}

function writeVariable({ type, dimensions, role, attributes = new Map<string, JsonValue>() }: VariableState) {
  const texts = contracted.flatMap((attribute) => {
    const value = attributes.get(attribute)
    return typeof value === 'string' ? [[attribute, value] as const] : []
  })
  return { type, dimensions: dimensions && [...dimensions], role, ...Object.fromEntries(texts) }
}
