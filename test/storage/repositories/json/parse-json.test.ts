import assert from 'node:assert/strict'
import fc from 'fast-check'
import { t } from 'tap'
import {
  DocumentAllowance,
  isJsonArray,
  isJsonObject,
  JsonNumber,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
  readMemberTexts,
} from '../../../../storage/repositories/json/index.ts'
import { checkProperty } from '../../../check-property.ts'

const parse = (text: string, maxDepth = 100) =>
  parseJson(new TextEncoder().encode(text), new DocumentAllowance({ maxDepth }))

/** Converts a value to what JSON.parse would return. */
function toPlain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return value.value
  if (isJsonArray(value)) return value.map(toPlain)
  return isJsonObject(value) ? Object.fromEntries([...value].map(([name, member]) => [name, toPlain(member)])) : value
}

t.test('the members of an object keep their texts', async (t) => {
  const read = (text: string) => [...readMemberTexts(new TextEncoder().encode(text), new DocumentAllowance())]
  t.strictSame(read(' {"a" : 1E400, "b":[ -0.0,"é\\u00e9" ],"\\u0061": {"c" :null }\n } '), [
    ['a', '{"c" :null }'],
    ['b', '[ -0.0,"é\\u00e9" ]'],
  ])
  t.strictSame(read('{ }'), [])
  for (const text of ['[1]', '7', '{"a":1', '{"a":1} 2', '{"a":NaN}', '{"a":1,}'])
    t.throws(() => read(text), JsonSyntaxError, text)
})

t.test('numbers keep their text', async (t) => {
  const texts = ['0', '-0', '2', '2.0', '2e0', '1.50', '1E400', '-1e-05', '12345678901234567890123456789012345678901']
  t.strictSame(
    parse(`[${texts.join(',')}]`),
    texts.map((text) => new JsonNumber(text)),
  )
})

t.test('a number is an integer when its text has neither point nor exponent', async (t) => {
  t.strictSame(
    ['2', '-0', '18446744073709551616'].map((text) => new JsonNumber(text).isInteger),
    [true, true, true],
  )
  t.strictSame(
    ['2.0', '2e0', '2E0', '-0.0'].map((text) => new JsonNumber(text).isInteger),
    [false, false, false, false],
  )
})

t.test('members keep their order, whatever they are called', async (t) => {
  const names = ['b', '10', '2', '__proto__', 'constructor', 'toString', '', 'a']
  const value = parse(`{${names.map((name) => `"${name}":null`).join(',')}}`)
  t.strictSame(value, new Map(names.map((name) => [name, null])))
})

t.test('a repeated member keeps its first position and its last value', async (t) => {
  t.strictSame(
    [...(parse('{"a":"1","b":"2","a":"3"}') as Map<string, JsonValue>)],
    [
      ['a', '3'],
      ['b', '2'],
    ],
  )
})

t.test('escapes are read, also those of lone surrogates', async (t) => {
  t.equal(parse(String.raw`"\"\\\/\b\f\n\r\té😀"`), '"\\/\b\f\n\r\té😀')
  t.equal(parse(String.raw`"a\ud800b"`), 'a\ud800b')
  t.equal(parse('"größe 日本 😀 \u007f\u2028"'), 'größe 日本 😀 \u007f\u2028')
})

t.test('invalid JSON is refused with the position of the fault', async (t) => {
  const refused: readonly (readonly [string, number])[] = [
    ['', 0],
    ['{"a":1', 6],
    ['[1,]', 3],
    ['{"a":1,}', 7],
    ['{a:1}', 1],
    ["'a'", 0],
    ['01', 1],
    ['+1', 0],
    ['.5', 0],
    ['1.', 1],
    ['1e', 1],
    ['- 1', 0],
    ['NaN', 0],
    ['Infinity', 0],
    ['-Infinity', 0],
    ['nul', 0],
    ['truex', 4],
    ['1 2', 2],
    ['"a', 2],
    ['"a\nb"', 2],
    [String.raw`"\x"`, 2],
    [String.raw`"\u12G4"`, 2],
    ['[1 2]', 3],
    ['{"a" 1}', 5],
    ['\ufeff1', 0],
    ['\u00a01', 0],
  ]
  for (const [text, offset] of refused)
    t.throws(() => parse(text), { name: 'JsonSyntaxError', offset }, JSON.stringify(text))
})

t.test('bytes that are not UTF-8 are refused', async (t) => {
  const notText = { name: 'JsonSyntaxError', offset: null }
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xc3, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0xff, 0xfe, 0x31, 0],
  ]) {
    t.throws(() => parseJson(Uint8Array.from(bytes), new DocumentAllowance()), notText)
  }
})

t.test('arrays and objects may be nested up to the limit', async (t) => {
  t.strictSame(parse('[{"a":[]}]', 3), [new Map([['a', []]])])
  t.throws(() => parse('[{"a":[]}]', 2), { name: 'DocumentsTooLargeError', limit: 'maxDepth' })
  t.strictSame(parse('[[],[],[[]]]', 3), [[], [], [[]]], 'only depth counts, not number')
  t.throws(() => parse('['.repeat(1_000_000), 1000), { name: 'DocumentsTooLargeError', limit: 'maxDepth' })
})

t.test('agrees with JSON.parse on everything that JavaScript can write', async () => {
  // JavaScript objects reorder members that look like integers, so JsonObject is a Map.
  const names = fc.string({ unit: 'grapheme' }).filter((name) => !/^\d/.test(name) && name !== '__proto__')
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
      ),
      fc.array(tie('value')),
      fc.dictionary(names, tie('value')),
    ),
  }))
  await checkProperty(
    300,
    fc.property(value, fc.nat(3), (original, space) => {
      const text = JSON.stringify(original, null, space)
      assert.deepEqual(toPlain(parse(text)), JSON.parse(text))
    }),
  )
})

t.test('damaged text gives a JsonSyntaxError or a value, and nothing else', async () => {
  const document = new TextEncoder().encode(String.raw`{"a":[1,-2.5e3,"xé\n"],"b":{"c":null,"d":[true,false]}}`)
  await checkProperty(
    1_000,
    fc.property(fc.nat(document.length - 1), fc.nat(255), fc.nat(document.length), (place, byte, length) => {
      const damaged = document.with(place, byte).subarray(0, length)
      try {
        return parseJson(damaged, new DocumentAllowance({ maxDepth: 10 })) !== undefined
      } catch (error) {
        return error instanceof JsonSyntaxError
      }
    }),
  )
})
