import fc from 'fast-check'
import { t, type Test } from 'tap'
import { DocumentAllowance, isJsonObject, parseFlatObject, parseJson, writeJson } from '../../../storage/json/index.ts'
import { propertyRuns } from '../../property-runs.ts'

function parseNatively(text: string) {
  const found = parseFlatObject(text, 0, new DocumentAllowance())
  return found?.end === text.length ? found.object : undefined
}

/** What the exact parser makes of the text; undefined when it refuses it. */
function parseExactly(text: string) {
  try {
    const value = parseJson(new TextEncoder().encode(text), new DocumentAllowance())
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Parses an object as a reader of documents does: natively, else exactly. */
function readAttributes(text: string) {
  const object = parseNatively(text) ?? parseExactly(text)
  if (object === undefined) throw new Error(`no object: ${text}`)
  return object
}

/** Checks that both parsers make the same of a text, unless the native one leaves it to the exact one. Returns whether it did not. */
function checkBoth(t: Test, text: string): boolean {
  const natively = parseNatively(text)
  if (natively === undefined) return false
  const exactly = parseExactly(text)
  if (exactly === undefined) return t.fail(`the exact parser refuses ${text}`)
  t.strictSame([...natively], [...exactly], text)
  t.strictSame([...natively.keys()], [...exactly.keys()])
  t.equal(natively.size, exactly.size)
  for (const name of [...exactly.keys(), 'constructor', '__proto__', 'none']) {
    t.equal(natively.has(name), exactly.has(name))
    t.strictSame(natively.get(name), exactly.get(name))
  }
  t.equal(writeJson(natively), writeJson(exactly))
  return true
}

const numbers = fc.oneof(
  fc.integer().map(String),
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom(
    '0',
    '-0',
    '-0.0',
    '1.0',
    '-100000.0',
    '1e5',
    '1E+400',
    '-2.50e-07',
    '9007199254740993',
    '0.1',
    '1e16',
  ),
  // Also what is not a number.
  fc.stringMatching(/^-?[0-9]{1,20}(\.[0-9]{0,18})?([eE][-+]?[0-9]{0,3})?$/),
)
/** Texts as JSON writes them, also with needless escapes, and texts that look like numbers in a list. */
const texts = fc.oneof(
  fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)),
  fc.stringMatching(/^"([ a-z,:.0-9[\]{}-]|\\[\\"/nu]|é|\\u00[0-9a-fA-F]{2})*"$/),
  fc.constantFrom('"a, 1.5, b"', '"[1.0, 2.0]"', String.raw`"\": 1.5,"`, '"20"', '"__proto__"', '"a"'),
)
const space = fc.constantFrom('', '', ' ', '\n  ', '\t\r')
const scalar = fc.oneof(numbers, texts, fc.constantFrom('true', 'false', 'null'))
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.array(scalar), space).map(([items, gap]) => `[${gap}${items.join(`${gap},${gap}`)}${gap}]`),
  },
)
const object = fc
  .tuple(fc.array(fc.tuple(texts, value), { maxLength: 6 }), space, space)
  .map(
    ([members, gap, end]) =>
      `{${gap}${members.map(([name, member]) => `${name}${end}:${gap}${member}`).join(`${end},${gap}`)}${end}}`,
  )

t.test('the native parser and the exact parser make the same of every text', async (t) => {
  let parsed = 0
  fc.assert(
    fc.property(object, (text) => {
      if (checkBoth(t, text)) parsed += 1
    }),
    { numRuns: propertyRuns(20_000) },
  )
  t.ok(parsed > 100, 'and many are not left to the exact one')
})

t.test('ordinary attributes are parsed natively', async (t) => {
  const ordinary = [
    '{}',
    '{"units": "K", "valid_min": -100000.0, "GRIB_paramId": 177, "flag_values": [0, 1, 2], "done": true, "note": null}',
    '{\n  "history": "2020-01-01 created\\n2021 \\"again\\"",\n  "area": [90.0, -180.0, 1e-05],\n  "comment": "é 😀, 3 of 5"\n}',
    '{"__proto__": 1, "constructor": 2.0, "toString": "x", "a": "1", "a": "2"}',
    '{"a": 123456789012345678901234567890, "b": -0, "c": [-0.0], "d": 1E400}',
  ]
  for (const text of ordinary) t.ok(checkBoth(t, text), text)
})

t.test('what the native parser would read in another way is left to the exact one', async (t) => {
  const reasons: Readonly<Record<string, string>> = {
    'JavaScript moves names that look like integers to the front': '{"b": 1, "10": 2}',
    'such a name may be written with escapes': String.raw`{"b": 1, "\u0031": 2}`,
    'another name with escapes could be taken for one that came before': String.raw`{"a": "\"", "\\" : 1}`,
    'a text starts with the mark of a number': String.raw`{"a": "\u00012.0"}`,
    'an integer has more digits than Python converts': `{"a": ${'9'.repeat(4301)}}`,
    'a text holds what looks like a float in a list': '{"a": "from [1.0, 2.0]"}',
    'an object is nested': '{"a": {"b": 1}}',
    'a list is nested': '{"a": [[1]]}',
    'the text is long': `{"a": "${'x'.repeat(64 * 1024)}"}`,
  }
  for (const [reason, text] of Object.entries(reasons)) t.equal(parseNatively(text), undefined, reason)
  for (const text of [
    '',
    '[]',
    '1',
    '"a"',
    '{"a": 1.}',
    '{"a": 01.5}',
    '{"a": .5}',
    '{"a": 1,}',
    '{"a": NaN}',
    '{"a": 1.0',
  ])
    t.equal(parseNatively(text), undefined, `${text} is no object`)
})

t.test('a name is not taken for the beginning of how another is written', async (t) => {
  // `JSON.parse` of Node.js 24 alone reads the second of each pair as the first. The first names occur in no other test.
  for (const [before, text] of [
    [String.raw`{"one":1,"\\":1}`, String.raw`{"one":1,"\u00e9":1}`],
    [String.raw`{"two":1,"\\u":1}`, String.raw`{"two":1,"\u00e9x":1}`],
    [String.raw`{"three":1,"x\\":1}`, String.raw`{"three":1,"x\u00e9":1}`],
  ] as const) {
    for (const first of [before, before]) readAttributes(first)
    t.strictSame([...readAttributes(text).keys()], [...(parseExactly(text)?.keys() ?? [])], text)
  }
})

t.test('members can be left out', async (t) => {
  const attributes = parseNatively('{"a": 1.0, "b": "x", "c": [2.50], "__proto__": null}')
  t.equal(attributes && writeJson(attributes.omit(['b', 'none'])), '{"a":1.0,"c":[2.5],"__proto__":null}')
  t.equal(attributes && writeJson(attributes.omit(['a', 'c', '__proto__'])), '{"b":"x"}')
})

t.test('values are taken from the allowance', async (t) => {
  const parse = (text: string, maxValues: number) => parseFlatObject(text, 0, new DocumentAllowance({ maxValues }))
  const list = `{"a": [${'1,'.repeat(100)}1]}`
  t.ok(parse(list, 300))
  t.throws(() => parse(list, 100), { name: 'DocumentsTooLargeError', limit: 'maxValues' })
  t.throws(() => parse('{"a": 1, "b": 2, "c": 3}', 10), { name: 'DocumentsTooLargeError', limit: 'maxValues' })
})

t.test('texts that are hard to scan take linear time', async (t) => {
  const long = 60_000
  for (const hard of ['[', ',', '1', ' ', '"', '\\', '1.', '-', ':', ', 1', '"1" ', '{', '1e', '["1', '\\"'])
    t.equal(parseNatively(`{"a":${hard.repeat(long / hard.length)}`), undefined, hard)
})
