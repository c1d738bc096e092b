import t from 'tap'
import { openFlatBuffer } from '../../../../storage/icechunk/encoding/flatbuffers.ts'
import { allowanceOf } from './allowance-of.ts'
import { buildFlatBuffer } from '../build-object.ts'
import { damaged } from '../damaged.ts'

const id = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
const whole = buildFlatBuffer([
  { u8: 200 },
  { u32: 4_000_000_000 },
  { i32: -1 },
  { u64: 2n ** 64n - 1n },
  { struct: id },
  { text: 'größe' },
  { blob: id },
  { tables: [[{ u8: 1 }], [undefined, { u8: 2 }]] },
  undefined,
])

t.test('fields are read by slot', async (t) => {
  const table = openFlatBuffer(whole, allowanceOf())
  t.equal(table.u8(0), 200)
  t.equal(table.u32(1), 4_000_000_000)
  t.equal(table.i32(2), -1)
  t.equal(table.u64(3), 2n ** 64n - 1n)
  t.strictSame(table.struct(4, 12), id)
  t.equal(table.text(5), 'größe')
  t.strictSame(table.blob(6), id)
  t.strictSame(
    [...(table.tables(7) ?? [])].map((element) => [element.u8(0), element.u8(1)]),
    [
      [1, 0],
      [0, 2],
    ],
  )
})

t.test('absent fields, and those that the writer did not know, are zero or undefined', async (t) => {
  const table = openFlatBuffer(whole, allowanceOf())
  for (const slot of [8, 9, 30_000]) {
    t.strictSame([table.u8(slot), table.u32(slot), table.i32(slot), table.u64(slot)], [0, 0, 0, 0n])
    t.strictSame(
      [table.struct(slot, 12), table.text(slot), table.blob(slot), table.tables(slot)],
      Array(4).fill(undefined),
    )
  }
})

t.test('structs are compared in place', async (t) => {
  const table = openFlatBuffer(whole, allowanceOf())
  t.equal(table.structEquals(4, id), true)
  t.equal(table.structEquals(4, id.with(11, 0)), false)
  t.equal(table.structEquals(8, id), false)
})

/** Everything a table can be asked for. */
function readAll(bytes: Uint8Array): void {
  const table = openFlatBuffer(bytes, allowanceOf())
  table.u8(0)
  table.u32(1)
  table.i32(2)
  table.u64(3)
  table.struct(4, 12)
  table.structEquals(4, id)
  table.text(5)
  table.blob(6)
  for (const element of table.tables(7) ?? []) element.u8(1)
}

t.test('a buffer cut anywhere is damaged', async (t) => {
  for (let length = 0; length < whole.length; length++) {
    t.throws(() => readAll(whole.subarray(0, length)), { name: 'DamagedObjectError', key: 'object' })
  }
})

t.test('whatever single byte or word is wrong, there is an answer or a named error', async (t) => {
  for (let position = 0; position < whole.length; position++) {
    for (const value of [0, 1, 0x7f, 0x80, 0xff]) {
      for (const length of [1, 4]) {
        const bytes = Uint8Array.from(whole)
        bytes.fill(value, position, position + length)
        try {
          readAll(bytes)
        } catch (error) {
          if (!(error instanceof Error) || error.name !== 'DamagedObjectError') throw error
        }
      }
    }
  }
  t.pass()
})

t.test('the identifier is checked', async (t) => {
  t.throws(() => openFlatBuffer(whole.with(4, 0), allowanceOf()), damaged(/not marked as Icechunk/))
})

t.test('a text must be UTF-8; a byte order mark is part of it', async (t) => {
  const invalid = buildFlatBuffer([{ blob: Uint8Array.of(0x66, 0xff) }])
  t.throws(() => openFlatBuffer(invalid, allowanceOf()).text(0), damaged('a text is not valid UTF-8'))
  t.equal(openFlatBuffer(buildFlatBuffer([{ text: '\uFEFFa' }]), allowanceOf()).text(0), '\uFEFFa')
})

t.test('parts that are taken out again and again count each time', async (t) => {
  const table = openFlatBuffer(whole, allowanceOf({ maxInflatedBytes: 30 }))
  table.blob(6)
  table.blob(6)
  t.throws(() => table.text(5), damaged(/larger than an object may be/))
})
