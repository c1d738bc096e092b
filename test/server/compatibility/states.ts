// States of datasets for tests: short to write, and random ones.
import { DocumentAllowance, type JsonObject, type JsonValue, parseJson } from '@floe/storage/json'
import fc from 'fast-check'
import type {
  DatasetState,
  ReadableState,
  Rewrite,
  Rewrites,
  VariableState,
} from '../../../server/compatibility/dataset-state.ts'

/** Parses JSON as the documents of a repository are parsed. */
function readJson(text: string): JsonValue {
  return parseJson(Buffer.from(text), new DocumentAllowance())
}

/** Makes attributes from JSON. */
export function readAttributes(text: string): JsonObject {
  return readJson(text) as JsonObject // the tests pass objects
}

type VariableForm = {
  readonly type?: string
  readonly dimensions?: readonly string[]
  readonly role?: 'coordinate' | 'data'
  readonly attributes?: string
  readonly calendar?: string | null
  readonly decoding?: string
  readonly fillValue?: string
}

/** Makes the state of a variable. */
export function makeVariable(name: string, form: VariableForm = {}): VariableState {
  const { type = 'float32', dimensions = ['x'], role = 'data', attributes = '{}', calendar = null } = form
  const { decoding = '{"codecs":["bytes"]}', fillValue = '0' } = form
  const storage = { decoding: readAttributes(decoding), fillValue: readJson(fillValue) }
  return { name, type, dimensions, role, attributes: readAttributes(attributes), calendar, storage }
}

/** Makes the state of a dataset with one variable, and the dimensions of `sizes`. */
export function makeState(
  form: VariableForm = {},
  sizes: Readonly<Record<string, number>> = { x: 4 },
  ...others: readonly VariableState[]
): ReadableState {
  const variables = [makeVariable('v', form), ...others]
  const dimensions = Object.entries(sizes).map(([name, size]) => ({ name, size: BigInt(size) }))
  return {
    dimensions: dimensions.map((one) => ({ ...one, isIndexed: hasIndex(one.name, variables) })),
    variables,
    attributes: new Map(),
  }
}

function hasIndex(name: string | null, variables: readonly VariableState[]): boolean {
  return variables.some((one) => one.name === name && one.dimensions?.length === 1 && one.dimensions[0] === name)
}

const attributes = fc
  .record(
    {
      units: fc.constantFrom('K', 'kelvin', 'm s-1', 'm/s', 'degC'),
      standard_name: fc.constantFrom('air_temperature', 'ocean_volume', 'sea_water_volume'),
      axis: fc.constantFrom('X', 'Y'),
      grid_mapping: fc.constantFrom('crs', 'crs: x'),
      grid_mapping_name: fc.constant('mercator'),
      flag_values: fc.constantFrom([0, 1], [0, 2]),
      long_name: fc.constantFrom('a', 'b'),
    },
    { requiredKeys: [] },
  )
  .map((values) => readAttributes(JSON.stringify(values)))

const decoding = fc
  .record(
    { scale_factor: fc.constantFrom(0.5, 2), units: fc.constantFrom('days since 2000-01-01') },
    { requiredKeys: [] },
  )
  .map((values) => readAttributes(JSON.stringify({ ...values, codecs: ['bytes'] })))

const variable = fc.record({
  name: fc.constantFrom('v', 'w', 'x', 'y', 'crs'),
  type: fc.constantFrom('float32', 'float64', '<U5', '<U7', 'object', 'int8'),
  dimensions: fc.constantFrom<readonly (string | null)[]>([], ['x'], ['y'], ['x', 'y'], ['y', 'x'], [null]),
  role: fc.constantFrom<'coordinate' | 'data'>('coordinate', 'data'),
  attributes,
  calendar: fc.constantFrom(null, 'noleap', '360_day'),
  storage: fc.record({ decoding, fillValue: fc.constantFrom(null, 'NaN') }),
})

const dimension = fc.record({ name: fc.constantFrom('x', 'y', null), size: fc.bigInt(0n, 3n) })

const readable: fc.Arbitrary<DatasetState> = fc
  .record({
    dimensions: fc.uniqueArray(dimension, { selector: ({ name }) => name }),
    variables: fc.uniqueArray(variable, { selector: ({ name }) => name }),
    attributes,
  })
  .map((state) => ({
    ...state,
    dimensions: state.dimensions.map((one) => ({ ...one, isIndexed: hasIndex(one.name, state.variables) })),
  }))

const unreadable: fc.Arbitrary<DatasetState> = fc.record({
  unreadable: fc.constantFrom('array "v": no', 'array "w": no'),
  isTooLarge: fc.boolean(),
  documents: fc.constantFrom('one', 'other'),
})

/** A random state; null where there is no dataset. */
export const anyState: fc.Arbitrary<DatasetState | null> = fc.oneof(
  { weight: 8, arbitrary: readable },
  { weight: 1, arbitrary: unreadable },
  { weight: 1, arbitrary: fc.constant(null) },
)

/** What happened to the chunks of each variable in one commit. */
export const anyRewrites: fc.Arbitrary<Rewrites> = fc
  .array(
    fc.tuple(fc.constantFrom('v', 'w', 'x', 'y', 'crs'), fc.constantFrom<Rewrite>('replaced', 'written', 'untouched')),
  )
  .map((entries) => new Map([...['v', 'w', 'x', 'y', 'crs'].map((name) => [name, 'untouched'] as const), ...entries]))

/** Takes most of a state, and the rest of another one: `takesOther` decides about each part. */
function blend(state: ReadableState, other: ReadableState, takesOther: () => boolean): ReadableState {
  const dimensions = blendNamed(state.dimensions, other.dimensions, takesOther)
  const variables = blendNamed(state.variables, other.variables, takesOther, (one, another) => ({
    name: one.name,
    ...blendMembers(one, another, takesOther),
    attributes: blendMaps(one.attributes ?? new Map(), another.attributes ?? new Map(), takesOther),
  }))
  return {
    dimensions: dimensions.map((one) => ({ ...one, isIndexed: hasIndex(one.name, variables) })),
    variables,
    attributes: state.attributes ?? new Map(),
  }
}

function blendNamed<Named extends { readonly name: string | null }>(
  ours: readonly Named[],
  others: readonly Named[],
  takesOther: () => boolean,
  join = (one: Named, another: Named) => (takesOther() ? another : one),
): Named[] {
  const names = new Set([...ours, ...others].map(({ name }) => name))
  return [...names].flatMap((name) => {
    const [one, another] = [ours, others].map((list) => list.find((each) => each.name === name))
    if (one !== undefined && another !== undefined) return [join(one, another)]
    return (takesOther() ? another : one) ?? []
  })
}

function blendMembers(one: VariableState, another: VariableState, takesOther: () => boolean): Partial<VariableState> {
  const members = Object.entries(one).map(([name, value]) => [name, takesOther() ? Reflect.get(another, name) : value])
  return Object.fromEntries(members)
}

function blendMaps(one: JsonObject, another: JsonObject, takesOther: () => boolean): JsonObject {
  const names = new Set([...one.keys(), ...another.keys()])
  return new Map(
    [...names].flatMap((name) => {
      const value = (takesOther() ? another : one).get(name)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

const decisions = fc.array(
  fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  { minLength: 64, maxLength: 64 },
)

/** A state, and one that differs a little from `state`, as after a commit. */
function commit(state: DatasetState | null): fc.Arbitrary<DatasetState | null> {
  return fc.tuple(anyState, decisions).map(([other, taken]) => {
    if (state === null || other === null || 'unreadable' in state || 'unreadable' in other)
      return taken[0] === true ? other : state
    const next = taken.values()
    return blend(state, other, () => next.next().value ?? false)
  })
}

/** Three states, of which each follows from the one before by a commit. */
export const anyHistory: fc.Arbitrary<(DatasetState | null)[]> = anyState.chain((one) =>
  commit(one).chain((two) => commit(two).map((three) => [one, two, three])),
)
