// Documents that a stranger may write to do harm. Each is small when compressed, and was slow or fatal to read at
// first.

/** A document of an array or group. */
export type HostileDocument = {
  readonly name: string
  readonly kind: 'array' | 'group'
  readonly text: string
  /** Status and problem of its `info`. */
  readonly status: 200 | 422
  readonly code?: 'repository-too-large' | 'not-a-dataset'
}

const group = (attributes: string) => `{"zarr_format":3,"node_type":"group","attributes":${attributes}}`

/** An array's document; `members` replaces the text of some members. */
export function writeArray(members: Readonly<Record<string, string>> = {}): string {
  const sound = {
    zarr_format: '3',
    node_type: '"array"',
    shape: '[4]',
    data_type: '"int32"',
    chunk_grid: writeGrid('[4]'),
    chunk_key_encoding: '{"name":"default","configuration":{"separator":"/"}}',
    fill_value: '0',
    codecs: '[{"name":"bytes","configuration":{"endian":"little"}}]',
    attributes: '{}',
    dimension_names: '["x"]',
  }
  const all = Object.entries({ ...sound, ...members })
  return `{${all.map(([name, text]) => `"${name}":${text}`).join(',')}}`
}

function writeGrid(chunkShape: string): string {
  return `{"name":"regular","configuration":{"chunk_shape":${chunkShape}}}`
}

/** A list of the same item. */
function repeatItem(item: string, count: number): string {
  return `[${item}${`,${item}`.repeat(count - 1)}]`
}

function writeShape(size: string, rank: number): Record<string, string> {
  return {
    shape: repeatItem(size, rank),
    chunk_grid: writeGrid(repeatItem('1', rank)),
    dimension_names: `[${Array.from({ length: rank }, (_, axis) => `"d${axis}"`).join(',')}]`,
  }
}

const tooLarge = { status: 422, code: 'repository-too-large' } as const
const refused = { status: 422, code: 'not-a-dataset' } as const
const inGroup = (
  name: string,
  attributes: string,
  answer: Pick<HostileDocument, 'status' | 'code'>,
): HostileDocument => ({ name, kind: 'group', text: group(attributes), ...answer })
const inArray = (
  name: string,
  members: Readonly<Record<string, string>>,
  answer: Pick<HostileDocument, 'status' | 'code'>,
): HostileDocument => ({ name, kind: 'array', text: writeArray(members), ...answer })

/** One after the other, because together they take hundreds of megabytes. */
export function* makeHostileDocuments(): Generator<HostileDocument> {
  const answered = { status: 200 } as const
  const float = { data_type: '"float64"' }
  yield inGroup('21 million empty objects', `{"a":${repeatItem('{}', 21_000_000)}}`, tooLarge)
  yield inGroup('15 million empty objects', `{"a":${repeatItem('{}', 15_000_000)}}`, tooLarge)
  yield inGroup('6 million objects with a member', `{"a":${repeatItem('{"":0}', 6_000_000)}}`, tooLarge)
  yield inGroup('6 million numbers', `{"a":${repeatItem('123456', 6_000_000)}}`, tooLarge)
  yield inGroup(
    '2 million members',
    `{${Array.from({ length: 2_000_000 }, (_, index) => `"${index}":0`).join(',')}}`,
    tooLarge,
  )
  yield inGroup('20 million escapes', `{"a":"${'\\n'.repeat(20_000_000)}"}`, tooLarge)
  yield inGroup('10 million letters that each become six', `{"a":"${'ü'.repeat(10_000_000)}"}`, tooLarge)
  yield inGroup('lists nested 100,000 deep', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, tooLarge)
  yield inGroup('10 million names of coordinates', `{"coordinates":"${'ab '.repeat(10_000_000)}"}`, answered)
  yield inGroup('an integer of 3 million digits', `{"a":${'9'.repeat(3_000_000)}}`, refused)
  yield inArray('a size of 3 million digits', { shape: `[${'9'.repeat(3_000_000)}]` }, refused)
  yield inArray('a size of 4,000 digits', { shape: `[${'9'.repeat(4000)}]` }, refused)
  yield inArray('200,000 dimensions', writeShape('1', 200_000), answered)
  yield inArray('20,000 large dimensions', writeShape(String(2n ** 62n), 20_000), answered)
  yield inArray('20 dimensions of 2^62', writeShape(String(2n ** 62n), 20), answered)
  yield inArray('60,000 digits and a letter', { ...float, fill_value: `"${'9'.repeat(60_000)}x"` }, refused)
  yield inArray('20 million digits and a letter', { ...float, fill_value: `"${'9'.repeat(20_000_000)}x"` }, refused)
  yield inArray('20 million digits with underscores', { ...float, fill_value: `"${'1_'.repeat(10_000_000)}"` }, refused)
  yield inArray(
    '5 million mathematical digits',
    { ...float, fill_value: `"${'\u{1d7ff}'.repeat(5_000_000)}"` },
    answered,
  )
  yield inArray('5,000 digits as the text of an integer', { fill_value: `"${'9'.repeat(5000)}"` }, refused)
  yield inArray(
    '20 million letters of base64',
    { data_type: '"bytes"', codecs: '[{"name":"vlen-bytes"}]', fill_value: `"${'A'.repeat(20_000_000)}"` },
    answered,
  )
  yield inArray(
    'a unit of 20 million letters',
    { attributes: `{"units":"${'a'.repeat(20_000_000)} since 2000"}` },
    refused,
  )
  yield inArray(
    'a reference date of 20 million digits',
    { attributes: `{"units":"days since ${'1'.repeat(20_000_000)}"}` },
    refused,
  )
}
