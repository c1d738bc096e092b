import fc from 'fast-check'
import { t } from 'tap'
import { combineLogs, defaultLimits, type StoredFile } from '../../../../../storage/repositories/icechunk/index.ts'
import { checkProperty } from '../../../../check-property.ts'
import { buildLog, buildNodeId, listLogFields, type LogDescription } from '../build-log.ts'
import { buildFlatBuffer, buildId, buildObject, type TableDescription } from '../build-object.ts'
import { anyDamage, readsOrRefuses } from '../any-damage.ts'
import { matchDamage, matchExcess } from '../match-damage.ts'

const toFile = (bytes: Uint8Array, number = 1): StoredFile => ({
  repository: 'memory',
  key: `transactions/${buildId(number)}`,
  bytes,
})

/** Combines logs, which belong to the snapshots 1, 2, ... */
function combine(logs: readonly LogDescription[], limits = {}) {
  const files = logs.map((log, index) => toFile(buildLog({ id: buildId(index + 1), ...log }), index + 1))
  return combineLogs(files, { ...defaultLimits, ...limits })
}

const combineFields = (fields: TableDescription) =>
  combineLogs([toFile(buildObject(buildFlatBuffer(fields), { kind: 4 }))], defaultLimits)

const idOf = (number: number) => Buffer.from(buildNodeId(number)).toString('latin1')

t.test('the nodes of several logs are united, list by list', async (t) => {
  const { groups, arrays } = await combine([
    { newGroups: [1], newArrays: [2, 3], deletedArrays: [4] },
    { updatedGroups: [1], deletedGroups: [5], newArrays: [3], updatedArrays: [2] },
  ])
  const listed = (kind: typeof groups) => Object.entries(kind).map(([change, ids]) => [change, [...ids]])
  t.strictSame(listed(groups), [
    ['created', [idOf(1)]],
    ['deleted', [idOf(5)]],
    ['updated', [idOf(1)]],
  ])
  t.strictSame(listed(arrays), [
    ['created', [idOf(2), idOf(3)]],
    ['deleted', [idOf(4)]],
    ['updated', [idOf(2)]],
  ])
})

t.test('moves stay single, oldest first, with paths as Floe writes them', async (t) => {
  const { moves } = await combine([
    {
      moves: [
        ['/a', '/b'],
        ['/a/ü', '/b/ü'],
      ],
    },
    { moves: [['/b', '/a']] },
  ])
  t.strictSame(moves, [
    { from: 'a', to: 'b' },
    { from: 'a/ü', to: 'b/ü' },
    { from: 'b', to: 'a' },
  ])
})

const listChunks = (...texts: readonly string[]) => texts.map((text) => text.split(' ').map(Number))

t.test('a chunk that several commits wrote counts once', async (t) => {
  const { chunks } = await combine([
    { chunks: [[1, listChunks('0 0', '0 1')] as const, [2, [[]]] as const] },
    { chunks: [[1, listChunks('0 1', '2 2')] as const, [2, [[]]] as const, [3, listChunks('7', '7')] as const] },
  ])
  t.strictSame(Object.fromEntries(chunks), { [idOf(1)]: 3, [idOf(2)]: 1, [idOf(3)]: 1 })
})

t.test('an array whose number of dimensions was changed counts the chunks of both', async (t) => {
  const before = { chunks: [[1, listChunks('0', '1')] as const] }
  const { chunks } = await combine([before, { chunks: [[1, listChunks('0 0', '0 1')] as const] }])
  t.strictSame([...chunks], [[idOf(1), 4]])
})

t.test('a log of version 1, which has no moves, is read as well', async (t) => {
  const fields = listLogFields({ newArrays: [1] }).slice(0, 8)
  const file = toFile(buildObject(buildFlatBuffer(fields), { kind: 4, version: 1 }))
  const { arrays, moves } = await combineLogs([file], defaultLimits)
  t.strictSame([[...arrays.created], moves], [[idOf(1)], []])
})

t.test('a log that breaks the format is refused with its rule', async (t) => {
  const fields = listLogFields()
  const without = (slot: number) => combineFields(fields.with(slot, undefined))
  await t.rejects(without(0), matchDamage('a snapshot has no id'))
  await t.rejects(without(1), matchDamage('it has no list of created groups'))
  await t.rejects(without(5), matchDamage('it has no list of updated arrays'))
  await t.rejects(without(7), matchDamage('it has no list of chunks'))
  await t.rejects(combine([{ id: buildId(2) }]), matchDamage(/says that it is the log of snapshot/))
  await t.rejects(combine([{ moves: [['/a', 'b']] }]), matchDamage('"b" is not the path of a node'))
  const noPath = { tables: [[{ text: '/a' }]] }
  await t.rejects(combineFields(fields.with(8, noPath)), matchDamage('a move lacks a path'))
  const noChunks = { tables: [[{ struct: buildNodeId(1) }]] }
  await t.rejects(combineFields(fields.with(7, noChunks)), matchDamage('an array lacks its id or its chunks'))
  const noCoordinates = { tables: [[{ struct: buildNodeId(1) }, { tables: [[]] }]] }
  await t.rejects(combineFields(fields.with(7, noCoordinates)), matchDamage('a chunk has no coordinates'))
  const snapshot = toFile(buildObject(buildFlatBuffer(fields), { kind: 1 }))
  await t.rejects(combineLogs([snapshot], defaultLimits), matchDamage(/kind 1, not 4 \(transaction log\)/))
})

t.test('logs beyond a limit are refused with the limit', async (t) => {
  const logs = [
    { newArrays: [1, 2], moves: [['/a', '/b'] as const] },
    { newArrays: [2, 3], chunks: [[1, [[0], [1]]] as const] },
  ]
  const refusal = (limit: string, value: number) => ({ name: 'RangeTooLongError', limit, value })
  await t.rejects(combine(logs, { maxRangeNodes: 3 }), refusal('maxRangeNodes', 3))
  await t.rejects(combine(logs, { maxRangeChunks: 1 }), refusal('maxRangeChunks', 1))
  await t.rejects(combine(logs, { maxRangeBytes: 300 }), refusal('maxRangeBytes', 300))
  await t.resolves(combine(logs, { maxRangeNodes: 4, maxRangeChunks: 2 }))
  await t.rejects(combine(logs, { maxInflatedBytes: 100 }), matchExcess('maxInflatedBytes'))
  const many = (dimensions: number) => [{ chunks: [[1, [Array(dimensions).fill(0)]] as const] }]
  await t.resolves(combine(many(64)))
  await t.rejects(combine(many(65)), matchExcess('maxChunkDimensions'))
})

t.test('a path that is stored once and referred to very often is refused before it fills the memory', async (t) => {
  const count = 200
  const moves = Array.from({ length: count }, (_, index) => [`/${'a'.repeat(index === 0 ? 10_000 : 1)}`, '/b'] as const)
  const payload = Buffer.from(buildFlatBuffer(listLogFields({ moves })))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(count)
  const list = payload.lastIndexOf(length)
  const first = list + 4 + payload.readUInt32LE(list + 4)
  for (let at = list + 4; at < list + 4 + 4 * count; at += 4) payload.writeUInt32LE(first - at, at)
  const file = toFile(buildObject(payload, { kind: 4 }))
  t.equal((await combineLogs([file], defaultLimits)).moves.length, count)
  const limits = { ...defaultLimits, maxRangeBytes: 1_000_000 }
  t.ok(payload.length < 100_000)
  await t.rejects(
    combineLogs([file], limits),
    matchExcess('maxInflatedBytes', /its parts together have more than 1000000 bytes/),
  )
})

t.test('any content gives changes or a named error', async () => {
  const moves = [['/a', '/b/c'] as const]
  const log = { newGroups: [1], updatedArrays: [2], chunks: [[2, listChunks('0 1', '3 4')] as const], moves }
  const payload = buildFlatBuffer(listLogFields(log))
  const readDamaged = (damaged: Uint8Array) =>
    combineLogs([toFile(buildObject(damaged, { kind: 4, compression: 0 }))], defaultLimits)
  await checkProperty(3_000, fc.asyncProperty(anyDamage(payload), readsOrRefuses(readDamaged)))
})
