import fc from 'fast-check'
import { t } from 'tap'
import { decodeMessagePack } from '../../../../../storage/repositories/icechunk/encoding/message-pack.ts'
import { writeJson } from '../../../../../storage/repositories/json/index.ts'
import { readsOrRefuses } from '../any-damage.ts'
import { createAllowance } from './create-allowance.ts'
import { matchDamage, matchExcess } from '../match-damage.ts'
import { checkProperty } from '../../../../check-property.ts'

// Written by the msgpack module for Python.
const vectors: readonly (readonly [hex: string, json: string])[] = [
  ['c0', 'null'],
  ['c3', 'true'],
  ['c2', 'false'],
  ['00', '0'],
  ['7f', '127'],
  ['ff', '-1'],
  ['e0', '-32'],
  ['d080', '-128'],
  ['ccff', '255'],
  ['cd012c', '300'],
  ['ce80000000', '2147483648'],
  ['d18000', '-32768'],
  ['d2fffeee90', '-70000'],
  ['cf0020000000000001', '9007199254740993'],
  ['cfffffffffffffffff', '18446744073709551615'],
  ['d38000000000000000', '-9223372036854775808'],
  ['ca3fc00000', '1.5'],
  ['cb4008000000000000', '3.0'],
  ['cb3fb999999999999a', '0.1'],
  ['cb7e37e43c8800759c', '1e+300'],
  ['a0', '""'],
  ['ac6772c3b6c39f6520f09f9880', '"gr\\u00f6\\u00dfe \\ud83d\\ude00"'],
  [`d928${'78'.repeat(40)}`, `"${'x'.repeat(40)}"`],
  [`da012c${'78'.repeat(300)}`, `"${'x'.repeat(300)}"`],
  ['90', '[]'],
  ['80', '{}'],
  ['9401020304', '[1,2,3,4]'],
  ['dc0011000102030405060708090a0b0c0d0e0f10', '[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]'],
  ['82a16201a1619301fecd012c', '{"b":1,"a":[1,-2,300]}'],
  ['9401a374776fc092cb400c00000000000081a46465657081a2657290', '[1,"two",null,[3.5,{"deep":{"er":[]}}]]'],
  ['82a2313001a95f5f70726f746f5f5f02', '{"10":1,"__proto__":2}'],
]

t.test('values of every type are read as they were written', async (t) => {
  for (const [hex, json] of vectors) {
    t.equal(writeJson(decodeMessagePack(Buffer.from(hex, 'hex'), createAllowance())), json)
  }
})

t.test('values that JSON cannot express are refused, except NaN, which becomes null', async (t) => {
  t.equal(decodeMessagePack(Buffer.from('cb7ff8000000000000', 'hex'), createAllowance()), null)
  for (const hex of ['c1', 'c40161', 'd40161', 'c7010161', '810102']) {
    t.throws(() => decodeMessagePack(Buffer.from(hex, 'hex'), createAllowance()), { name: 'DamagedObjectError' }, hex)
  }
})

t.test('a value must fill its bytes exactly', async (t) => {
  t.throws(() => decodeMessagePack(Buffer.from('0000', 'hex'), createAllowance()), matchDamage(/data after/))
  for (const [hex] of vectors) {
    const bytes = Buffer.from(hex, 'hex')
    for (let length = 0; length < bytes.length; length++) {
      t.throws(() => decodeMessagePack(bytes.subarray(0, length), createAllowance()), matchDamage(/cut short/))
    }
  }
})

t.test('a claimed length reserves no memory, and nesting has a limit', async (t) => {
  t.throws(() => decodeMessagePack(Buffer.from('ddffffffff', 'hex'), createAllowance()), matchDamage(/cut short/))
  t.throws(() => decodeMessagePack(Buffer.from('dfffffffff', 'hex'), createAllowance()), matchDamage(/cut short/))
  t.throws(
    () => decodeMessagePack(Buffer.alloc(100_000, 0x91), createAllowance()),
    matchExcess('maxNesting', /more than 64 levels/),
  )
})

t.test('any bytes give a value or a named error', async () => {
  const content = fc.uint8Array({ maxLength: 80 })
  await checkProperty(
    5_000,
    fc.asyncProperty(
      content,
      readsOrRefuses((bytes) => decodeMessagePack(bytes, createAllowance())),
    ),
  )
})
