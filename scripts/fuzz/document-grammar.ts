// Makes groups of Zarr documents and changes them as JSON: what a stranger can write into a repository that is otherwise sound.
import { pick, type Random } from './mutations.ts'

/** A document in a snapshot. */
export type StoredDocument = { readonly path: string; readonly kind: 'array' | 'group'; readonly text: string }

/** A group with up to six arrays and a child group, some of them changed. */
export function makeGroup(random: Random): readonly StoredDocument[] {
  const documents: StoredDocument[] = [store(random, '', 'group', makeGroupDocument(random))]
  const names = ['x', 'y', 'time', 'bounds', '__proto__', 'ünïcode', 'constructor', 'a b'].slice(random(4))
  for (const name of names.slice(0, 1 + random(6)))
    documents.push(store(random, name, 'array', makeArrayDocument(random, name)))
  if (random(4) === 0) documents.push(store(random, 'zz', 'group', makeGroupDocument(random)))
  return documents
}

function store(random: Random, path: string, kind: 'array' | 'group', document: Json): StoredDocument {
  // Few documents are changed outside of their attributes: the first that is refused hides the others of its group.
  if (random(4) === 0) {
    const attributes = document.kind === 'object' ? document.members.find(([name]) => name === 'attributes') : undefined
    changeSomewhere(random, attributes === undefined || random(3) === 0 ? document : attributes[1])
  }
  const text = random(200) === 0 ? cutText(random, write(document)) : write(document)
  return { path: path === '' ? '/' : `/${path}`, kind, text }
}

/** JSON as it is written: objects are lists of members, so that names may repeat, and `raw` is any text. */
type Json =
  | { readonly kind: 'raw'; text: string }
  | { readonly kind: 'array'; items: Json[] }
  | { readonly kind: 'object'; members: [string, Json][] }

const raw = (text: string): Json => ({ kind: 'raw', text })
const text = (value: string): Json => raw(JSON.stringify(value))
const list = (...items: Json[]): Json => ({ kind: 'array', items })
const object = (...members: [string, Json][]): Json => ({ kind: 'object', members })

function write(json: Json): string {
  if (json.kind === 'raw') return json.text
  if (json.kind === 'array') return `[${json.items.map(write).join(',')}]`
  return `{${json.members.map(([name, value]) => `${JSON.stringify(name)}:${write(value)}`).join(',')}}`
}

function makeGroupDocument(random: Random): Json {
  return object(
    ['zarr_format', raw('3')],
    ['node_type', text('group')],
    ['attributes', makeAttributes(random)],
    ...(random(8) === 0 ? ([['consolidated_metadata', raw('null')]] as [string, Json][]) : []),
  )
}

const types: readonly (readonly [type: string, fill: string, codec: string])[] = [
  ['"int32"', '0', 'bytes'],
  ['"float32"', '"NaN"', 'bytes'],
  ['"float64"', '1e400', 'bytes'],
  ['"uint8"', '255', 'bytes'],
  ['"bool"', 'false', 'bytes'],
  ['"complex64"', '[0,"NaN"]', 'bytes'],
  ['"string"', '""', 'vlen-utf8'],
  ['"bytes"', '"AAAA"', 'vlen-bytes'],
  ['{"name":"null_terminated_bytes","configuration":{"length_bytes":1}}', '"AA=="', 'bytes'],
  ['{"name":"fixed_length_utf32","configuration":{"length_bytes":8}}', '""', 'bytes'],
  ['{"name":"numpy.datetime64","configuration":{"unit":"s","scale_factor":10}}', '"NaT"', 'bytes'],
  ['{"name":"struct","configuration":{"fields":[{"name":"a","data_type":"int8"},["b","float32"]]}}', '{}', 'bytes'],
]

/** Sizes of dimensions, the same in all arrays of a group; others have 4. */
const sizes: ReadonlyMap<string, string> = new Map([
  ['y', '1'],
  ['n', String(2n ** 62n)],
  ['empty', '0'],
])

function makeArrayDocument(random: Random, name: string): Json {
  const [type, fill, codec] = pick(random, types)
  const rank = pick(random, [0, 1, 1, 1, 2, 3])
  const dimensions = Array.from({ length: rank }, () => pick(random, [name, name, 'x', 'y', 'n', 'empty']))
  const repeat = (make: (dimension: string) => Json) => list(...dimensions.map(make))
  const configured = (of: string, ...members: [string, Json][]) =>
    object(['name', text(of)], ['configuration', object(...members)])
  const serializer = codec === 'bytes' ? configured('bytes', ['endian', text('little')]) : object(['name', text(codec)])
  const inner = configured('sharding_indexed', ['chunk_shape', repeat(() => raw('2'))], ['codecs', list(serializer)])
  return object(
    ['zarr_format', raw('3')],
    ['node_type', text('array')],
    ['shape', repeat((dimension) => raw(sizes.get(dimension) ?? '4'))],
    ['data_type', raw(type)],
    ['chunk_grid', configured('regular', ['chunk_shape', repeat(() => raw('4'))])],
    ['chunk_key_encoding', configured('default', ['separator', text('/')])],
    ['fill_value', raw(fill)],
    ['codecs', list(random(5) === 0 ? inner : serializer)],
    ['attributes', makeAttributes(random)],
    ['dimension_names', repeat(text)],
  )
}

/** Names of attributes that xarray reads when it opens a group. */
const decodedNames = [
  'units',
  'calendar',
  'dtype',
  '_FillValue',
  'missing_value',
  'scale_factor',
  'add_offset',
  '_Unsigned',
  '_Encoding',
  'coordinates',
  'bounds',
  '_NCProperties',
  '_xpublish_id',
]
const decodedValues = [
  '"days since 2000-01-01"',
  '"hours since 1970-1-1 12:30:00.5 +01:00"',
  '"since"',
  '"seconds"',
  '"noleap"',
  '"timedelta64[ns]"',
  '"bool"',
  '"true"',
  '"utf-8"',
  '"x y time bounds"',
  '"bounds"',
  '0.5',
  '-999',
  '[1]',
  '[[1,2],[3]]',
  'null',
  '"AAAAAAAA+H8="',
  '{}',
]

function makeAttributes(random: Random): Json {
  const members = Array.from({ length: random(5) }, (): [string, Json] => [
    random(4) === 0 ? makeName(random) : pick(random, decodedNames),
    random(3) === 0 ? makeValue(random, 3) : raw(pick(random, decodedValues)),
  ])
  return object(...members)
}

function makeName(random: Random): string {
  return pick(random, [
    '__proto__',
    'constructor',
    'toString',
    '',
    '10',
    'units',
    'a\u0000',
    '\ud800',
    'ﬁ😀',
    'n'.repeat(300),
  ])
}

/** Texts, mostly small ones: a run makes millions. One in a few thousand is large. */
function makeLength(random: Random): number {
  return pick(random, [1, 2, 10, 100, random(2000) === 0 ? 300_000 : 1000])
}

const strangeTexts: readonly ((random: Random, length: number) => string)[] = [
  (_, length) => '9'.repeat(length),
  (_, length) => `${'1'.repeat(length)}x`,
  (_, length) => '1_'.repeat(length),
  (_, length) => ' '.repeat(length),
  (_, length) => `${'-'.repeat(length)}since `,
  (_, length) => `days since ${'1'.repeat(length)}-01-01`,
  (_, length) => `days since 2000-01-01${' '.repeat(length)}x`,
  (_, length) => `days${' since '.repeat(length)}2000`,
  (_, length) => 'a '.repeat(length),
  (_, length) => 'A'.repeat(length),
  (_, length) => '='.repeat(length),
  (_, length) => 'ü'.repeat(length),
  (_, length) => '\ud800'.repeat(length),
  (_, length) => '\u0085'.repeat(length),
  (_, length) => `'"\\\n`.repeat(length),
  (_, length) => '<&>'.repeat(length),
  (_, length) => `timedelta64[${'1'.repeat(length)}ns]`,
  (random, length) => Array.from({ length }, () => String.fromCharCode(random(0x10000))).join(''),
]

const strangeNumbers: readonly ((length: number) => string)[] = [
  (length) => '9'.repeat(length),
  (length) => `-${'9'.repeat(length)}`,
  (length) => `0.${'0'.repeat(length)}1`,
  (length) => `1e${'9'.repeat(length)}`,
  (length) => `${'9'.repeat(length)}.5E-7`,
]

function makeValue(random: Random, depth: number): Json {
  const choice = random(depth > 0 ? 14 : 9)
  if (choice < 3)
    return raw(pick(random, ['null', 'true', 'false', '0', '-0', '-0.0', '1.0', '1e400', '[]', '{}', '""']))
  if (choice < 6) return text(pick(random, strangeTexts)(random, makeLength(random)))
  if (choice < 9) return raw(pick(random, strangeNumbers)(makeLength(random)))
  if (choice === 9) return raw(makeNesting(random))
  if (choice === 10)
    return raw(
      `[${Array(makeLength(random))
        .fill(pick(random, ['{}', '[]', '0', '""', '{"a":1}']))
        .join(',')}]`,
    )
  const items = Array.from({ length: random(5) }, () => makeValue(random, depth - 1))
  if (choice < 13) return list(...items)
  return object(...items.map((item): [string, Json] => [makeName(random), item]))
}

function makeNesting(random: Random): string {
  const [open, close] = pick(random, [
    ['[', ']'],
    ['{"a":', '}'],
    ['[[],', ']'],
  ])
  const depth = pick(random, [3, 3, 3, 60, 70, 900, 995, 1100])
  return `${open.repeat(depth)}1${close.repeat(depth)}`
}

/** Changes one value, or one list or object, anywhere in a document. */
function changeSomewhere(random: Random, json: Json): void {
  const parts = findParts(json)
  const part = pick(random, parts)
  const change = random(10)
  if (part.kind === 'raw') part.text = write(makeValue(random, 2))
  else if (part.kind === 'array') changeList(random, part.items, change)
  else changeMembers(random, part.members, change)
}

function changeList(random: Random, items: Json[], change: number): void {
  if (change < 3) items.push(makeValue(random, 2))
  else if (change < 5) items.splice(random(items.length + 1), 1)
  else if (change === 5 && items.length > 0) {
    const copy = pick(random, items)
    const copies = makeLength(random)
    for (let count = 0; count < copies; count++) items.push(copy)
  } else items.splice(random(items.length + 1), 1, makeValue(random, 3))
}

function changeMembers(random: Random, members: [string, Json][], change: number): void {
  if (members.length === 0 || change < 2) {
    members.push([makeName(random), makeValue(random, 3)])
    return
  }
  const index = random(members.length)
  const [name, value] = pick(random, [members[index] ?? pick(random, members)])
  if (change < 4) members.splice(index, 1)
  else if (change === 4) members.push([name, makeValue(random, 2)])
  else if (change === 5) members[index] = [makeName(random), value]
  else if (change === 6) members[index] = [name, list(value)]
  else members[index] = [name, makeValue(random, 3)]
}

/** Lists, objects and values of a document, itself included. */
function findParts(json: Json): Json[] {
  if (json.kind === 'raw') return [json]
  const inner = json.kind === 'array' ? json.items : json.members.map(([, value]) => value)
  const parts: Json[] = [json]
  for (const part of inner) for (const found of findParts(part)) parts.push(found)
  return parts
}

function cutText(random: Random, whole: string): string {
  const position = random(whole.length)
  return random(2) === 0
    ? whole.slice(0, position)
    : whole.slice(0, position) + '\u0000,:"]'[random(6)] + whole.slice(position)
}
