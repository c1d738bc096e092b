import assert from 'node:assert/strict'
import fc from 'fast-check'
import { t } from 'tap'
import { DamagedObjectError } from '../../../../../storage/repositories/icechunk/index.ts'
import {
  openFlatBuffer,
  Table,
  TableVector,
} from '../../../../../storage/repositories/icechunk/encoding/flatbuffers.ts'
import { createAllowance } from './create-allowance.ts'
import { anyDamage } from '../any-damage.ts'
import { buildFlatBuffer } from '../build-object.ts'
import { matchDamage, matchExcess } from '../match-damage.ts'
import { checkProperty } from '../../../../check-property.ts'

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
  const table = openFlatBuffer(whole, createAllowance())
  t.equal(table.readU8(0), 200)
  t.equal(table.readU32(1), 4_000_000_000)
  t.equal(table.readI32(2), -1)
  t.equal(table.readU64(3), 2n ** 64n - 1n)
  t.strictSame(table.readStruct(4, 12), id)
  t.equal(table.readText(5), 'größe')
  t.strictSame(table.readBlob(6), id)
  t.strictSame(
    [...(table.readTables(7) ?? [])].map((element) => [element.readU8(0), element.readU8(1)]),
    [
      [1, 0],
      [0, 2],
    ],
  )
})

t.test('absent fields and fields unknown to the writer are zero or undefined', async (t) => {
  const table = openFlatBuffer(whole, createAllowance())
  for (const slot of [8, 9, 30_000]) {
    t.strictSame([table.readU8(slot), table.readU32(slot), table.readI32(slot), table.readU64(slot)], [0, 0, 0, 0n])
    t.strictSame(
      [table.readStruct(slot, 12), table.readText(slot), table.readBlob(slot), table.readTables(slot)],
      Array(4).fill(undefined),
    )
  }
})

t.test('the bytes of a text are read without counting against the limits', async (t) => {
  const table = openFlatBuffer(whole, createAllowance({ maxInflatedBytes: 0 }))
  t.strictSame(
    Buffer.from(table.readTextBytes(5) ?? []).toString(),
    openFlatBuffer(whole, createAllowance()).readText(5),
  )
  t.equal(table.readTextBytes(9), undefined)
})

t.test('reading a number of many tables gives the same as reading each table, also in damaged vectors', async (t) => {
  const unreadable = -9
  const bytes = buildFlatBuffer([
    { tables: [[{ i32: -7 }, { u8: 1 }, { i32: 5 }], [{ i32: 2 }], [undefined, { u8: 3 }]] },
  ])
  const readEach = (tables: TableVector, slot: number) =>
    Array.from({ length: tables.length }, (_, index) => {
      try {
        return tables.at(index).readI32(slot)
      } catch (error) {
        if (error instanceof DamagedObjectError) return unreadable
        throw error
      }
    })
  const readAll = (tables: TableVector, slot: number) => {
    const numbers = new Int32Array(tables.length)
    tables.readI32s(slot, numbers, { first: 0, end: tables.length }, unreadable)
    return [...numbers]
  }
  const open = (bytes: Uint8Array) => {
    try {
      return openFlatBuffer(bytes, createAllowance()).readTables(0)
    } catch (error) {
      if (error instanceof DamagedObjectError) return undefined
      throw error
    }
  }
  const whole = open(bytes)
  if (whole === undefined) throw new Error('the vector is whole')
  t.strictSame(
    [readAll(whole, 0), readAll(whole, 2), readAll(whole, 9)],
    [
      [-7, 2, 0],
      [5, 0, 0],
      [0, 0, 0],
    ],
  )
  const isSame = (damaged: Uint8Array) => {
    const tables = open(damaged)
    if (tables === undefined) return
    for (const slot of [0, 2]) assert.deepEqual(readAll(tables, slot), readEach(tables, slot))
  }
  await checkProperty(10_000, fc.property(anyDamage(bytes), isSame))
})

t.test('the same fields of many tables are those of each table, also in damaged vectors', async () => {
  const sizes = [4, 4, 8, 1] as const
  const bytes = buildFlatBuffer([
    {
      tables: [
        [{ text: 'a' }, { i32: 5 }, { u64: 2n ** 40n }, { u8: 7 }],
        [{ text: 'b' }, { i32: 6 }, { u64: 1n }, { u8: 8 }],
        [undefined, { i32: 9 }],
      ],
    },
  ])
  const orDamage = (read: () => unknown) => {
    try {
      return read()
    } catch (error) {
      if (error instanceof DamagedObjectError) return 'damaged'
      throw error
    }
  }
  const isSame = (damaged: Uint8Array) => {
    const root = orDamage(() => openFlatBuffer(damaged, createAllowance()))
    const tables = root instanceof Table ? orDamage(() => root.readTables(0)) : undefined
    if (!(root instanceof Table) || !(tables instanceof TableVector)) return
    const fields = root.readFields(sizes.map((size, slot) => ({ slot, size })))
    const readMany = (index: number) => {
      fields.moveTo(tables.find(index))
      return [fields.findBytes(0), fields.readU32(1), fields.readU64(2), fields.readU8(3)]
    }
    const readOne = (index: number) => {
      const table = tables.at(index)
      // A table that has one of the fields outside of the object is damaged, whichever field is asked for.
      for (const [slot, size] of sizes.entries()) table.readStruct(slot, size)
      return [table.findStructs(0, 1) ?? 0, table.readU32(1), Number(table.readU64(2)), table.readU8(3)]
    }
    for (let index = 0; index < Math.min(tables.length, 5); index++)
      assert.deepEqual(
        orDamage(() => readMany(index)),
        orDamage(() => readOne(index)),
      )
  }
  isSame(bytes)
  await checkProperty(10_000, fc.property(anyDamage(bytes), isSame))
})

t.test('a table of a sorted vector is found without reading all', async (t) => {
  const numbers = Array.from({ length: 1_000 }, (_, index) => 3 * index)
  const bytes = buildFlatBuffer([{ tables: numbers.map((number) => [{ u32: number }]) }])
  const tables = openFlatBuffer(bytes, createAllowance()).readTables(0)
  let read = 0
  const search = (wanted: number) =>
    tables?.search((table) => {
      read += 1
      return table.readU32(0) - wanted
    })
  for (const [index, number] of numbers.entries()) t.equal(search(number), index)
  for (const number of [1, 2_996, 2_998, 9_999]) t.equal(search(number), undefined)
  t.ok(read < 1_004 * 11, `${read} tables were read`)
})

/** Reads everything that a table can contain. */
function readAll(bytes: Uint8Array): void {
  const table = openFlatBuffer(bytes, createAllowance())
  table.readU8(0)
  table.readU32(1)
  table.readI32(2)
  table.readU64(3)
  table.readStruct(4, 12)
  table.readTextBytes(5)
  table.readText(5)
  table.readBlob(6)
  for (const element of table.readTables(7) ?? []) element.readU8(1)
}

t.test('a buffer cut anywhere is damaged', async (t) => {
  for (let length = 0; length < whole.length; length++) {
    t.throws(() => readAll(whole.subarray(0, length)), { name: 'DamagedObjectError', key: 'object' })
  }
})

t.test('the identifier is checked', async (t) => {
  t.throws(() => openFlatBuffer(whole.with(4, 0), createAllowance()), matchDamage(/not marked as Icechunk/))
})

t.test('a text must be UTF-8; a byte order mark is part of it', async (t) => {
  const invalid = buildFlatBuffer([{ blob: Uint8Array.of(0x66, 0xff) }])
  t.throws(() => openFlatBuffer(invalid, createAllowance()).readText(0), matchDamage('a text is not valid UTF-8'))
  t.equal(openFlatBuffer(buildFlatBuffer([{ text: '\uFEFFa' }]), createAllowance()).readText(0), '\uFEFFa')
})

t.test('each extraction of the same part counts against the limit', async (t) => {
  const table = openFlatBuffer(whole, createAllowance({ maxInflatedBytes: 30 }))
  table.readBlob(6)
  table.readBlob(6)
  t.throws(() => table.readText(5), matchExcess('maxInflatedBytes'))
})
