// Makes groups of Zarr documents and changes their JSON, as a stranger could in an otherwise valid repository.
import { pick, type Random } from './mutations.ts'
import {
  changeSomewhere,
  cutText,
  type Json,
  list,
  makeName,
  makeValue,
  object,
  raw,
  text,
  write,
} from './strange-json.ts'

/** A document in a snapshot. */
export type StoredDocument = { readonly path: string; readonly kind: 'array' | 'group'; readonly text: string }

/**
 * A group with up to six arrays and a child group. Each document has strange attributes, and some are changed elsewhere
 * too.
 */
export function makeGroup(random: Random): readonly StoredDocument[] {
  const documents: StoredDocument[] = [store(random, '', 'group', makeGroupDocument(random))]
  const names = ['x', 'y', 'time', 'bounds', '__proto__', 'ünïcode', 'constructor', 'a b'].slice(random(4))
  for (const name of names.slice(0, 1 + random(6)))
    documents.push(store(random, name, 'array', makeArrayDocument(random, name)))
  if (random(4) === 0) documents.push(store(random, 'zz', 'group', makeGroupDocument(random)))
  return documents
}

function store(random: Random, path: string, kind: 'array' | 'group', document: Json): StoredDocument {
  // Few documents are changed outside their attributes, because the first refused document hides the others of its
  // group.
  if (random(4) === 0) {
    const attributes = document.kind === 'object' ? document.members.find(([name]) => name === 'attributes') : undefined
    changeSomewhere(random, attributes === undefined || random(3) === 0 ? document : attributes[1])
  }
  const text = random(200) === 0 ? cutText(random, write(document)) : write(document)
  return { path: path === '' ? '/' : `/${path}`, kind, text }
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

/** Makes attributes that xarray reads, and at least one that no correct writer makes. */
function makeAttributes(random: Random): Json {
  const members = Array.from({ length: random(5) }, (): [string, Json] => [
    random(4) === 0 ? makeName(random) : pick(random, decodedNames),
    random(3) === 0 ? makeValue(random, 3) : raw(pick(random, decodedValues)),
  ])
  return object(...members, [makeName(random), makeValue(random, 3)])
}
