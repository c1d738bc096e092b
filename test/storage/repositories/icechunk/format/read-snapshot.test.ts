import fc from 'fast-check'
import { t } from 'tap'
import { openEnvelope } from '../../../../../storage/repositories/icechunk/format/envelope.ts'
import { defaultLimits } from '../../../../../storage/repositories/icechunk/index.ts'
import {
  readSnapshot,
  readSnapshotCommit,
} from '../../../../../storage/repositories/icechunk/format/snapshot/read-snapshot.ts'
import { writeJson } from '../../../../../storage/repositories/json/index.ts'
import { buildFlatBuffer, buildNode, buildObject, buildSnapshot, buildId } from '../build-object.ts'
import { anyDamage, readsOrRefuses } from '../any-damage.ts'
import type { SnapshotDescription, TableDescription } from '../build-object.ts'
import { matchDamage, matchExcess } from '../match-damage.ts'
import { checkProperty } from '../../../../check-property.ts'

const one = buildId(1)

async function read(bytes: Uint8Array, limits = {}) {
  const all = { ...defaultLimits, ...limits }
  return readSnapshot(
    await openEnvelope({ repository: 'memory', key: 'snapshots/1', bytes }, 'snapshot', all),
    one,
    all,
  )
}

const readBuilt = (description: SnapshotDescription, limits = {}) => read(buildSnapshot(description), limits)

t.test('a snapshot has the id, time, message and metadata of its commit', async (t) => {
  t.match(await readBuilt({ message: 'größe 😀', time: 1_700_000_000_123_456n }), {
    id: one,
    formatVersion: 2,
    message: 'größe 😀',
    parentIdInFile: null,
    writtenAt: new Date('2023-11-14T22:13:20.123Z'),
  })
  t.match(await readBuilt({ version: 1, parent: buildId(7) }), { formatVersion: 1, parentIdInFile: buildId(7) })
})

t.test('metadata is decoded by the version of the file', async (t) => {
  const item = (name: string, hex: string): TableDescription => [{ text: name }, { blob: Buffer.from(hex, 'hex') }]
  const items = [item('b', '000040400e04'), item('a', '0161000162000206041414042801')]
  const { metadata } = await readBuilt({ metadata: items })
  t.strictSame(
    [...metadata].map(([name, value]) => [name, writeJson(value)]),
    [
      ['b', '3.0'],
      ['a', '["a","b"]'],
    ],
  )
  const first = await readBuilt({ version: 1, metadata: [item('a', '92a161cb4008000000000000')] })
  t.equal(writeJson(first.metadata.get('a') ?? null), '["a",3.0]')
  await t.rejects(readBuilt({ version: 1, metadata: items }), { name: 'DamagedObjectError' })
})

t.test('nodes that no Zarr reader can address are left out, and hide no others', async (t) => {
  const paths = ['/', '//', '/.', '/./x', '//a', '/a', '/a/', '/a//b', '/a/./b', '/a/b']
  const { nodes } = await readBuilt({ nodes: paths.map((path) => buildNode(path)) })
  t.strictSame(
    [...nodes].map(({ path }) => path),
    ['', 'a', 'a/b'],
  )
})

t.test('paths that Icechunk never stores are refused', async (t) => {
  for (const path of ['', 'a', '/..', '/a/../b', '/a//../b']) {
    const rule = new RegExp('is not the path of a node')
    await t.rejects(readBuilt({ nodes: [buildNode(path)] }), matchDamage(rule), JSON.stringify(path))
  }
  await t.resolves(
    readBuilt({ nodes: [buildNode('/...'), buildNode('/a b'), buildNode('/%2F'), buildNode('/.hidden')] }),
  )
})

t.test('a path that is not UTF-8 is refused', async (t) => {
  const document = { blob: Buffer.from('{}') }
  const path = { blob: Buffer.from([0x2f, 0x61, 0xff]) } // stored like a text
  await t.rejects(
    readBuilt({ nodes: [[undefined, path, document, { u8: 2 }]] }),
    matchDamage('a text is not valid UTF-8'),
  )
})

t.test('a node that is listed twice is refused, wherever it is listed', async (t) => {
  const nodes = [buildNode('/'), buildNode('/a'), buildNode('/a', 1)]
  await t.rejects(readBuilt({ nodes }), matchDamage('node "a" is listed twice'))
  const apart = [buildNode('/a'), buildNode('/b'), buildNode('/'), buildNode('/a', 1)]
  await t.rejects(readBuilt({ nodes: apart }), matchDamage('node "a" is listed twice'))
})

t.test('a node or snapshot without a required field is refused', async (t) => {
  const path = { text: '/a' }
  const document = { blob: Buffer.from('{}') }
  await t.rejects(
    readBuilt({ nodes: [[undefined, path, document, { u8: 3 }]] }),
    matchDamage(/neither array nor group but 3/),
  )
  await t.rejects(readBuilt({ nodes: [[undefined, path, document]] }), matchDamage(/neither array nor group but 0/))
  await t.rejects(readBuilt({ nodes: [[undefined, undefined, document, { u8: 1 }]] }), matchDamage(/not the path/))
  await t.rejects(
    readBuilt({ nodes: [[undefined, path, undefined, { u8: 1 }]] }),
    matchDamage('node "a" has no zarr.json'),
  )
  await t.rejects(readBuilt({ metadata: [[{ text: 'a' }]] }), matchDamage(/lacks its name or value/))
  const id = { struct: Buffer.alloc(12) }
  const empty = { tables: [] }
  await t.rejects(read(buildObject(buildFlatBuffer([]))), matchDamage('a snapshot has no id'))
  await t.rejects(
    read(buildObject(buildFlatBuffer([id]))),
    matchDamage(/says that it is snapshot 00000000000000000000/),
  )
  const parts = [{ struct: Buffer.alloc(12).fill(1, 11) }, undefined, empty, { u64: 0n }, { text: '' }]
  await t.rejects(read(buildObject(buildFlatBuffer(parts.with(2, undefined)))), matchDamage('it has no list of nodes'))
  await t.rejects(read(buildObject(buildFlatBuffer(parts.with(4, undefined)))), matchDamage('a commit has no message'))
  await t.resolves(read(buildObject(buildFlatBuffer(parts))))
})

t.test('a time after the year 9999 is refused', async (t) => {
  const last = 253_402_300_799_999_999n
  t.equal((await readBuilt({ time: last })).writtenAt.toISOString(), '9999-12-31T23:59:59.999Z')
  await t.rejects(readBuilt({ time: last + 1n }), matchDamage('a time lies after the year 9999'))
  await t.rejects(readBuilt({ time: 2n ** 64n - 1n }), matchDamage('a time lies after the year 9999'))
})

t.test('the limits on nodes and paths hold', async (t) => {
  const nodes = [buildNode('/'), buildNode('/a/b/c')]
  await t.rejects(readBuilt({ nodes }, { maxNodes: 1 }), matchExcess('maxNodes', /more than 1 nodes/))
  await t.rejects(readBuilt({ nodes }, { maxPathBytes: 5 }), matchExcess('maxPathBytes'))
  await t.rejects(readBuilt({ nodes }, { maxPathDepth: 2 }), matchExcess('maxPathDepth'))
  await t.resolves(readBuilt({ nodes }, { maxNodes: 2, maxPathBytes: 6, maxPathDepth: 3 }))
})

t.test('the commit alone can be read without its nodes', async (t) => {
  const bytes = buildSnapshot({ parent: buildId(3), version: 1, message: 'm', nodes: [buildNode('not a path')] })
  const envelope = await openEnvelope({ repository: 'memory', key: 'snapshots/1', bytes }, 'snapshot', defaultLimits)
  t.match(readSnapshotCommit(envelope, one, defaultLimits), { id: one, parentId: buildId(3), message: 'm' })
})

t.test('any content gives a snapshot or a named error', async () => {
  const metadata = [[{ text: 'a' }, { blob: Buffer.from('0161000162000206041414042801', 'hex') }]] as const
  const nodes = [buildNode('/'), buildNode('/a', 1), buildNode('/a/b')]
  const whole = buildSnapshot({ message: 'm', metadata, nodes })
  const { payload } = await openEnvelope({ repository: '', key: '', bytes: whole }, 'snapshot', defaultLimits)
  const readDamaged = (damaged: Uint8Array) => read(buildObject(damaged, { compression: 0 }))
  await checkProperty(3_000, fc.asyncProperty(anyDamage(payload), readsOrRefuses(readDamaged)))
})

t.test('the limits on the metadata of a commit hold for each value and for all texts together', async (t) => {
  const nothing = Uint8Array.of(0, 0, 1)
  const metadata = ['a', 'b', 'c'].map((name): TableDescription => [{ text: name }, { blob: nothing }])
  t.equal((await readBuilt({ metadata }, { maxCommitValues: 3 })).metadata.size, 3)
  await t.rejects(readBuilt({ metadata }, { maxCommitValues: 2 }), matchExcess('maxCommitValues'))
  await t.rejects(readBuilt({ metadata, message: 'x' }, { maxCommitBytes: 12 }), matchExcess('maxCommitBytes'))
  await t.resolves(
    readBuilt({ metadata, message: 'x' }, { maxCommitBytes: 13 }),
    'three names, three values of 3 bytes, the message',
  )
})
