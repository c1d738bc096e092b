import fc from 'fast-check'
import { t } from 'tap'
import { decodeFlexBuffer } from '../../../../../storage/repositories/icechunk/encoding/flexbuffers.ts'
import { writeJson } from '../../../../../storage/repositories/json/index.ts'
import { readsOrRefuses } from '../any-damage.ts'
import { createAllowance } from './create-allowance.ts'
import { matchDamage, matchExcess } from '../match-damage.ts'
import { checkProperty } from '../../../../check-property.ts'

// Written by Google's FlexBuffers module for Python.
const vectors: readonly (readonly [hex: string, json: string])[] = [
  ['000001', 'null'],
  ['016801', 'true'],
  ['006801', 'false'],
  ['000401', '0'],
  ['ff0401', '-1'],
  ['2c010502', '300'],
  ['90eefeff0604', '-70000'],
  ['01000000000020000708', '9007199254740993'],
  ['00000000000000800708', '-9223372036854775808'],
  ['ffffffffffffffff0b08', '18446744073709551615'],
  ['000000000e04', '0.0'],
  ['000040400e04', '3.0'],
  ['9a9999999999b93f0f08', '0.1'],
  ['0000011401', '""'],
  ['0c6772c3b6c39f6520f09f9880000d1401', '"gr\\u00f6\\u00dfe \\ud83d\\ude00"'],
  ['6b657900041001', '"key"'],
  ['fb011801', '-5'],
  ['05011c01', '5'],
  ['00002040042201', '2.5'],
  ['00002801', '[]'],
  ['00000100002401', '{}'],
  ['0201020404042801', '[1,2]'],
  ['040102030404040404082801', '[1,2,3,4]'],
  ['070809034c01', '[7,8,9]'],
  ['01020304045801', '[1,2,3,4]'],
  ['0000c03f00002040084a01', '[1.5,2.5]'],
  ['04000100020003009001082d01', '[1,2,3,400]'],
  ['030000000000c03f00002040000060400e0e0e0f2a01', '[1.5,2.5,3.5]'],
  ['03010001039001', '[true,false,true]'],
  ['7800797900020605023801', '["x","yy"]'],
  ['0161000162000206041414042801', '["a","b"]'],
  ['6200610003000100feff2c01050505020e110201020f012904042401', '{"a":[1,-2,300],"b":1}'],
  [
    '0374776f00646565700065720000010501010105280111010101072402000000000060400a0000000e2404012b000e0414002a082801',
    '[1,"two",null,[3.5,{"deep":{"er":[]}}]]',
  ],
]

t.test('values of every type are read as they were written', async (t) => {
  for (const [hex, json] of vectors) {
    t.equal(writeJson(decodeFlexBuffer(Buffer.from(hex, 'hex'), createAllowance())), json)
  }
})

t.test('values that JSON cannot express are refused, except NaN, which becomes null', async (t) => {
  t.equal(decodeFlexBuffer(Buffer.from('000000000000f87f0f08', 'hex'), createAllowance()), null)
  t.equal(decodeFlexBuffer(Buffer.from('0000807f0e04', 'hex'), createAllowance()), null)
  const blob = Buffer.from('026162026401', 'hex')
  t.throws(() => decodeFlexBuffer(blob, createAllowance()), matchDamage(/FlexBuffers type 25/))
})

t.test('a text that is not UTF-8 is refused', async (t) => {
  const text = Buffer.from('01ff00021401', 'hex')
  t.throws(() => decodeFlexBuffer(text, createAllowance()), matchDamage(/UTF-8/))
})

t.test('a value that contains itself ends at the nesting limit', async (t) => {
  // A vector with one element, whose offset 0 points back to the vector itself.
  const vector = Buffer.from([1, 0, 0x28, 2, 0x28, 1])
  t.throws(
    () => decodeFlexBuffer(vector, createAllowance({ maxNesting: 10 })),
    matchExcess('maxNesting', /more than 10 levels/),
  )
})

t.test('a value that doubles at every level ends at the limit of values', async (t) => {
  // Each level is a vector of two values that are both the level before.
  const bytes = [0, 0x28]
  let previous = 1
  for (let level = 0; level < 40; level++) {
    bytes.push(2)
    const start = bytes.length
    bytes.push(start - previous, start + 1 - previous, 0x28, 0x28)
    previous = start
  }
  bytes.push(bytes.length - previous, 0x28, 1)
  t.throws(
    () => decodeFlexBuffer(Buffer.from(bytes), createAllowance()),
    matchExcess('maxHistoryValues', /more than 250000 metadata values/),
  )
})

t.test('keys that share one long text count against the limit each time', async (t) => {
  const key = [...Buffer.alloc(200, 'k'), 0]
  // An object of 50 nulls whose keys all lead to the same 200 characters.
  const keys = Array.from({ length: 50 }, (_, index) => key.length + 1 + index)
  const members = [...key, 50, ...keys, 50, 1, 50, ...Array(50).fill(0), ...Array(50).fill(0)]
  const bytes = Buffer.from([...members, 100, 0x24, 1])
  t.equal(writeJson(decodeFlexBuffer(bytes, createAllowance())), `{"${'k'.repeat(200)}":null}`)
  t.throws(() => decodeFlexBuffer(bytes, createAllowance({ maxInflatedBytes: 9_999 })), matchExcess('maxInflatedBytes'))
})

t.test('any bytes give a value or a named error', async () => {
  const whole = fc.constantFrom(...vectors.map(([hex]) => Buffer.from(hex, 'hex')))
  const flipped = fc.tuple(whole, fc.nat(), fc.nat(255)).map(([bytes, position, value]) => {
    const copy = Buffer.from(bytes)
    copy[position % copy.length] = value
    return copy
  })
  const cut = fc.tuple(whole, fc.nat(60)).map(([bytes, length]) => bytes.subarray(0, length))
  const content = fc.oneof(flipped, cut, fc.uint8Array({ maxLength: 60 }))
  await checkProperty(
    5_000,
    fc.asyncProperty(
      content,
      readsOrRefuses((bytes) => decodeFlexBuffer(bytes, createAllowance())),
    ),
  )
})
