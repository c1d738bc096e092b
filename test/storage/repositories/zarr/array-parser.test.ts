import assert from 'node:assert/strict'
import fc from 'fast-check'
import { t } from 'tap'
import { DocumentAllowance, type JsonObject } from '../../../../storage/repositories/json/index.ts'
import { readJsonText } from '../../../../storage/repositories/json/json-text.ts'
import { type ArrayMetadata, ArrayParser } from '../../../../storage/repositories/zarr/index.ts'
import { parseArrayText } from '../../../../storage/repositories/zarr/parse-array.ts'
import { checkProperty } from '../../../check-property.ts'

const head = '"zarr_format": 3, "node_type": "array", "shape": [30], "data_type": "int16", "fill_value": 0'
const tail = '"chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [10]}}, "codecs": [{"name": "bytes"}]'

/** What a parser makes of a document: the metadata in a form that can be compared, or the message of the error. */
function describe(parse: (bytes: Uint8Array) => ArrayMetadata, document: string): unknown {
  try {
    const { attributes, document: members, ...rest } = parse(Buffer.from(document))
    return { ...rest, attributes: [...attributes], members: [...members].filter(([name]) => name !== 'attributes') }
  } catch (error) {
    return String(error)
  }
}

function parseAlone(bytes: Uint8Array): ArrayMetadata {
  const allowance = new DocumentAllowance()
  return parseArrayText(readJsonText(bytes, allowance), allowance)
}

const traps: Readonly<Record<string, string>> = {
  'attributes in the middle': `{${head}, "attributes": {"a": 1.0}, ${tail}}`,
  'attributes at the end': `{${head}, ${tail}, "attributes": {"a": "}{"}}`,
  'attributes at the start': `{"attributes" : { } , ${head}, ${tail}}`,
  'no attributes': `{${head}, ${tail}}`,
  'attributes that are null': `{${head}, "attributes": null, ${tail}}`,
  'attributes that are a list': `{${head}, "attributes": [{}], ${tail}}`,
  'attributes with a list of lists': `{${head}, "attributes": {"a": [[1.0], []]}, ${tail}}`,
  'attributes with a list that is too deep, then another': `{${head}, "attributes": {"a": ${'['.repeat(1000)}${']'.repeat(1000)}, "a": 1}, ${tail}}`,
  'attributes with an object': `{${head}, "attributes": {"a": {"b": 1.0}}, ${tail}}`,
  'attributes twice': `{${head}, "attributes": {"a": 1}, ${tail}, "attributes": {"b": 2}}`,
  'attributes, then null': `{${head}, "attributes": {"a": 1}, ${tail}, "attributes": null}`,
  'attributes, then null under an escaped name': String.raw`{${head}, "attributes": {"a": 1}, ${tail}, "\u0061ttributes": null}`,
  'null, then attributes': `{${head}, "attributes": null, ${tail}, "attributes": {"a": 1}}`,
  'other attributes inside of a member': `{${head}, "extra": {"attributes": {"a": 1}}, ${tail}}`,
  'other attributes before those of the array': `{${head}, "extra": {"attributes": {"a": 1}}, ${tail}, "attributes": {"b": 2}}`,
  'other attributes, then null': `{${head}, "extra": {"attributes": {"a": 1}}, "attributes": null, ${tail}}`,
  'a text with that name': `{${head}, "extra": "attributes", ${tail}, "attributes": {"b": 2}}`,
  'a text that looks like attributes': String.raw`{${head}, "extra": "\"attributes\": {}", ${tail}, "attributes": {"b": 2}}`,
  'attributes that are not closed': `{${head}, ${tail}, "attributes": {"a": 1`,
  'attributes with a fault': `{${head}, ${tail}, "attributes": {"a": 01}}`,
  'attributes whose names JavaScript would reorder': `{${head}, ${tail}, "attributes": {"b": 1, "10": 2}}`,
  'text after the attributes': `{${head}, ${tail}, "attributes": {"a": 1} x}`,
  'a fault before attributes that are nested too deep': `{${head.replace('[30]', '[3x]')}, "attributes": {"a": ${'['.repeat(1000)}${']'.repeat(1000)}}, ${tail}}`,
  'a document with a fault': `{${head}, ${tail}, "attributes": {"a": 1},}`,
  'a document of another kind': `{"zarr_format": 3, "node_type": "group", "attributes": {"a": 1}}`,
  'a document without a type': `{"zarr_format": 3, "node_type": "array", "attributes": {"a": 1}}`,
  'a list': `[{"attributes": {"a": 1}}]`,
}

t.test('documents are parsed the same together and alone', async (t) => {
  // Thousands of documents share it, more than those of any group.
  const parser = new ArrayParser(new DocumentAllowance({ maxBytes: 1e12, maxValues: 1e12 }))
  for (let round = 0; round < 2; round++) {
    for (const [title, document] of Object.entries(traps))
      t.strictSame(
        describe((bytes) => parser.parse(bytes), document),
        describe(parseAlone, document),
        title,
      )
  }
  const bytes = fc
    .constantFrom(...Object.values(traps))
    .chain((document) =>
      fc.tuple(
        fc.constant(document),
        fc.nat(document.length - 1),
        fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\\', ' ', '0', 'a', '.', 'é', '"attributes": {}'),
      ),
    )
  await checkProperty(
    10_000,
    fc.property(bytes, ([document, place, piece]) => {
      const changed = document.slice(0, place) + piece + document.slice(place + 1)
      assert.deepEqual(
        describe((bytes) => parser.parse(bytes), changed),
        describe(parseAlone, changed),
      )
    }),
  )
})

t.test('arrays that differ only in their attributes share the rest, and count it once', async (t) => {
  const parser = new ArrayParser(new DocumentAllowance({ maxValues: 500 }))
  const documents: JsonObject[] = []
  for (let index = 0; index < 30; index++)
    documents.push(parser.parse(Buffer.from(`{${head}, "attributes": {"number": ${index}.0}, ${tail}}`)).document)
  t.equal(new Set(documents).size, 1)
  const nested = parser.parse(Buffer.from(`{${head}, "attributes": {"a": {"b": 1}}, ${tail}}`))
  t.equal(nested.document, documents[0], 'attributes may hold objects')
})

t.test('more different documents than the cache has room for are parsed as well', async (t) => {
  const parser = new ArrayParser(new DocumentAllowance())
  for (let size = 0; size < 1100; size++) {
    const document = `{${head.replace('30', String(size))}, "attributes": {"a": 1}, ${tail}}`
    t.strictSame(parser.parse(Buffer.from(document)).shape, [BigInt(size)])
  }
})
