// Groups written by hand for the tests of decoding: documents as text, so that `2.0` stays `2.0`.
import { decodeGroup } from '../../../server/xarray/decode-group.ts'
import type { Member } from '../../../server/xarray/open-group.ts'
import { DocumentAllowance } from '../../../storage/repositories/json/index.ts'
import { ArrayParser, parseGroupDocument } from '../../../storage/repositories/zarr/index.ts'

/** An array; by default with the dimension `x` of length 3. `attributes` is the text of a JSON object. */
export type ArrayText = {
  readonly type?: unknown
  readonly dimensions?: readonly (string | null)[] | undefined
  readonly shape?: readonly number[]
  readonly attributes?: string
  /** Members of the document to add or to replace; undefined removes a member. */
  readonly members?: Readonly<Record<string, unknown>>
}

const encode = (text: string) => new TextEncoder().encode(text)

export function makeArrayMember(name: string, array: ArrayText = {}): Member {
  const { type = 'int16', dimensions = ['x'], shape = dimensions.map(() => 3), attributes = '{}', members = {} } = array
  const document = {
    zarr_format: 3,
    node_type: 'array',
    shape,
    data_type: type,
    chunk_grid: { name: 'regular', configuration: { chunk_shape: shape.map((size) => Math.max(1, size)) } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: chooseFillValue(type),
    codecs: [chooseSerializer(type)],
    dimension_names: dimensions,
    ...members,
  }
  return {
    name,
    array: new ArrayParser(new DocumentAllowance()).parse(
      encode(`${JSON.stringify(document).slice(0, -1)},"attributes":${attributes}}`),
    ),
  }
}

export function makeGroupMember(name: string, members: Readonly<Record<string, unknown>> = {}) {
  const document = { zarr_format: 3, node_type: 'group', ...members }
  return { name, group: parseGroupDocument(encode(JSON.stringify(document)), new DocumentAllowance()) }
}

/** Decodes arrays by name, in the order given; `attributes` is the text of a JSON object. */
export function decodeArrays(arrays: Readonly<Record<string, ArrayText>>, attributes = '{}') {
  const group = parseGroupDocument(
    encode(`{"zarr_format":3,"node_type":"group","attributes":${attributes}}`),
    new DocumentAllowance(),
  )
  return decodeGroup(
    group,
    Object.entries(arrays).map(([name, array]) => makeArrayMember(name, array)),
  )
}

/** Decodes an array called `v`. Returns its type as `info` shows it. */
export function decodeOne(array: ArrayText) {
  const [variable] = decodeArrays({ v: array }).variables
  if (variable === undefined) throw new Error('no variable')
  return { ...variable, shown: variable.type.name, attributeNames: [...variable.attributes.keys()] }
}

/** The pattern of the error that refuses an array, by default `v`; null for the group. */
export function refusal(rule: RegExp | string, variable: string | null = 'v') {
  return { name: 'CannotDecodeError', variable, rule }
}

function chooseSerializer(type: unknown) {
  if (type === 'string') return { name: 'vlen-utf8' }
  if (type === 'bytes' || type === 'variable_length_bytes') return { name: 'vlen-bytes' }
  return { name: 'bytes', configuration: { endian: 'little' } }
}

function chooseFillValue(type: unknown): unknown {
  if (type === 'bool') return false
  if (type === 'complex64' || type === 'complex128') return [0, 0]
  if (typeof type === 'string') return ['string', 'bytes', 'variable_length_bytes'].includes(type) ? '' : 0
  const { name } = type as { name: string } // every other type of these tests is an object with a name
  if (name.startsWith('struct')) return {}
  return name.startsWith('numpy.') ? 0 : ''
}
