// Writes objects that no official library would write: FlatBuffers from plain descriptions, in an envelope. Written
// from the format's description, not from the reader, so that a misunderstanding shows.
import { zstdCompressSync } from 'node:zlib'
import type { SnapshotId } from '../../../../storage/repositories/icechunk/index.ts'
import { decodeSnapshotId } from '../../../../storage/repositories/icechunk/format/object-id.ts'

/** A field of a table; `undefined` leaves it out. */
type Field =
  | { readonly u8: number }
  | { readonly u32: number }
  | { readonly i32: number }
  | { readonly u64: bigint }
  | { readonly struct: Uint8Array }
  | { readonly text: string }
  | { readonly blob: Uint8Array }
  | { readonly table: TableDescription }
  | { readonly tables: readonly TableDescription[] }
  /** A vector of structs of the same length. */
  | { readonly structs: readonly Uint8Array[] }
  | undefined

/** The fields of a table by slot number. */
export type TableDescription = readonly Field[]

/** Writes a FlatBuffer with Icechunk's identifier. */
export function buildFlatBuffer(root: TableDescription): Uint8Array {
  const out = new Output()
  const rootOffset = out.reserve(4)
  out.append(Buffer.from('Ichk'))
  out.point(rootOffset, out.table(root))
  return out.finish()
}

/** Writes an object: a payload in its envelope. */
export function buildObject(
  payload: Uint8Array,
  { version = 2, kind = 1, compression = 1 }: { version?: number; kind?: number; compression?: number } = {},
): Uint8Array {
  const header = Buffer.concat([
    Buffer.from('ICE\u{1F9CA}CHUNK'),
    Buffer.from('floe-test'.padEnd(24)),
    Buffer.from([version, kind, compression]),
  ])
  return Uint8Array.from(Buffer.concat([header, compression === 1 ? zstdCompressSync(payload) : payload]))
}

/** Returns the id whose 12 bytes are a number below 65,536. */
export function buildId(number: number): SnapshotId {
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  const text = [15, 10, 5, 0].map((shift) => digits[((number << 4) >> shift) & 31]).join('')
  return `0000000000000000${text}` as SnapshotId // canonical: the last four bits are zero
}

/** Writes a value of commit metadata: a text as a FlexBuffer, with a length of 4 bytes. */
export function buildMetadataText(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  const offset = Buffer.alloc(4)
  offset.writeUInt32LE(bytes.length + 1)
  return Buffer.concat([length, bytes, Buffer.from([0]), offset, Buffer.from([(5 << 2) | 2, 4])])
}

/** The parts of a `repo` object that a test sets. All other parts are valid. */
export type RepoDescription = {
  readonly snapshots?: readonly {
    readonly id: SnapshotId
    readonly parent: number
    readonly time?: bigint
    readonly message?: string
    readonly author?: string
    readonly pruned?: readonly SnapshotId[]
  }[]
  readonly branches?: readonly (readonly [string, number])[]
  readonly tags?: readonly (readonly [string, number])[]
  /** Whether to write a status, `online`. Only the summary of a repository needs one. */
  readonly hasStatus?: boolean
  /** Texts of the metadata of the repository itself, which is read only with a status. */
  readonly metadata?: Readonly<Record<string, string>>
  /** The configuration, a FlexBuffers map. */
  readonly config?: Uint8Array
}

/**
 * Writes a `repo` object: by default one snapshot, number 1, to which `main` points. References are sorted, as Icechunk
 * sorts them.
 */
export function buildRepo({
  snapshots = [{ id: buildId(1), parent: -1 }],
  branches = [['main', 0]],
  tags = [],
  hasStatus = false,
  metadata = {},
  config,
}: RepoDescription = {}): Uint8Array {
  const writeRefs = (refs: readonly (readonly [string, number])[]): TableDescription[] =>
    refs
      .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map(([name, index]) => [{ text: name }, { u32: index }])
  const payload = buildFlatBuffer([
    { u8: 2 },
    { tables: writeRefs(tags) },
    { tables: writeRefs(branches) },
    { tables: [] },
    {
      tables: snapshots.map(({ id, parent, time = 1_000_000n, message = '', author, pruned = [] }) => [
        { struct: decodeSnapshotId(id) },
        { i32: parent },
        { u64: time },
        { text: message },
        author === undefined ? undefined : { tables: [[{ text: 'author_id' }, { blob: buildMetadataText(author) }]] },
        { structs: pruned.map(decodeSnapshotId) },
      ]),
    },
    hasStatus ? { table: [{ u8: 0 }, { u64: 1_000_000n }] } : undefined,
    { tables: Object.entries(metadata).map(([name, text]) => [{ text: name }, { blob: buildMetadataText(text) }]) },
    ...(config === undefined ? [] : [undefined, undefined, { blob: config }]),
  ])
  return buildObject(payload, { kind: 6 })
}

/** The parts of a snapshot object that a test sets. */
export type SnapshotDescription = {
  readonly id?: SnapshotId
  readonly parent?: SnapshotId
  readonly version?: number
  readonly time?: bigint
  readonly message?: string
  readonly metadata?: readonly TableDescription[]
  readonly nodes?: readonly TableDescription[]
  /** Arrays at `/a`, `/b` and so on, in place of nodes. */
  readonly arrays?: readonly DescribedArray[]
  /** Manifests in this order, with the numbers of their ids. */
  readonly manifests?: readonly { readonly id: number; readonly count: number; readonly size?: number }[]
  readonly compression?: number
}

/** What a snapshot says about the chunks of an array. */
export type DescribedArray = {
  /** Length and length of a chunk, for each dimension. */
  readonly shape: readonly (readonly [length: number, chunk: number])[]
  /** The ranges of their references; undefined to leave out the table of the array. */
  readonly manifests?:
    readonly { readonly id: number; readonly ranges: readonly (readonly [first: number, end: number])[] }[] | undefined
}

/** Writes a snapshot object: by default number 1, of version 2, with no parent and no nodes. */
export function buildSnapshot({
  id = buildId(1),
  parent,
  version = 2,
  time = 1_000_000n,
  message = '',
  metadata = [],
  arrays = [],
  nodes = arrays.map((array, index) => buildArray(`/${String.fromCharCode(97 + index)}`, array, version)),
  manifests = [],
  compression = 1,
}: SnapshotDescription = {}): Uint8Array {
  const infos = manifests.map(({ id, count, size = 0 }) =>
    Buffer.concat([decodeSnapshotId(buildId(id)), pack32(0), pack64(size), pack32(count, 0)]),
  )
  const tables = manifests.map(({ id, count, size = 0 }): TableDescription => [
    { struct: decodeSnapshotId(buildId(id)) },
    { u64: BigInt(size) },
    { u32: count },
  ])
  const payload = buildFlatBuffer([
    { struct: decodeSnapshotId(id) },
    parent === undefined ? undefined : { struct: decodeSnapshotId(parent) },
    { tables: nodes },
    { u64: time },
    { text: message },
    { tables: metadata },
    { structs: version === 1 ? infos : [] },
    version === 1 ? undefined : { tables },
  ])
  return buildObject(payload, { version, compression })
}

function buildArray(path: string, array: DescribedArray, version: number): TableDescription {
  const data = buildArrayData(array, version)
  return [...buildNode(path, 1), data && { table: data }]
}

/** Writes what the node of an array says about its chunks. */
export function buildArrayData({ shape, manifests }: DescribedArray, version = 2): TableDescription | undefined {
  const shapeV1 = shape.map(([length, chunk]) => pack64(length, chunk))
  const shapeV2 = shape.map(([length, chunk]): TableDescription => [
    { u64: BigInt(length) },
    { u32: chunk === 0 ? 0 : Math.ceil(length / chunk) % 2 ** 32 },
  ])
  return (
    manifests && [
      { structs: version === 1 ? shapeV1 : [] },
      undefined,
      {
        tables: manifests.map(({ id, ranges }) => [
          { struct: decodeSnapshotId(buildId(id)) },
          { structs: ranges.map(([first, end]) => pack32(first, end)) },
        ]),
      },
      version === 1 ? undefined : { tables: shapeV2 },
    ]
  )
}

function pack32(...numbers: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [index, number] of numbers.entries()) bytes.writeUInt32LE(number, 4 * index)
  return bytes
}

function pack64(...numbers: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(8 * numbers.length)
  for (const [index, number] of numbers.entries()) bytes.writeBigUInt64LE(BigInt(number), 8 * index)
  return bytes
}

/** A group (2) or array (1) at a stored path, without an id unless one is given. */
export function buildNode(
  path: string,
  kind = 2,
  document: string | Uint8Array = '{}',
  id?: Uint8Array,
): TableDescription {
  return [id && { struct: id }, { text: path }, { blob: Buffer.from(document) }, { u8: kind }]
}

class Output {
  #bytes = Buffer.alloc(4096)
  length = 0

  finish(): Uint8Array {
    return Uint8Array.from(this.#bytes.subarray(0, this.length))
  }

  append(bytes: Uint8Array): number {
    const position = this.length
    this.length += bytes.length
    if (this.length > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * this.length)
    this.#bytes.set(bytes, position)
    return position
  }

  reserve(length: number): number {
    return this.append(new Uint8Array(length))
  }

  number(value: bigint | number, length: number): number {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)))
    return this.append(bytes.subarray(0, length))
  }

  /** Makes the offset at `field` point to `target`. */
  point(field: number, target: number): void {
    this.#bytes.writeUInt32LE(target - field, field)
  }

  /** Writes the vtable of a table, the table, and then everything that it points to. */
  table(fields: TableDescription): number {
    const sizes = fields.map(measureInline)
    const vtable = this.number(4 + 2 * fields.length, 2)
    this.number(
      sizes.reduce((sum, size) => sum + size, 4),
      2,
    )
    let distance = 4
    for (const size of sizes) {
      this.number(size === 0 ? 0 : distance, 2)
      distance += size
    }
    const table = this.length
    this.number(table - vtable, 4)
    const fieldPositions = fields.map((field) => this.#inline(field))
    for (const [index, field] of fields.entries()) this.#pointed(field, fieldPositions[index] ?? 0)
    return table
  }

  #inline(field: Field): number {
    if (field === undefined) return 0
    if ('u8' in field) return this.number(field.u8, 1)
    if ('u32' in field) return this.number(field.u32, 4)
    if ('i32' in field) return this.number(field.i32, 4)
    if ('u64' in field) return this.number(field.u64, 8)
    return 'struct' in field ? this.append(field.struct) : this.reserve(4)
  }

  #pointed(field: Field, position: number): void {
    if (field === undefined) return
    if ('text' in field) this.point(position, this.#blob(Buffer.from(field.text)))
    if ('blob' in field) this.point(position, this.#blob(field.blob))
    if ('table' in field) this.point(position, this.table(field.table))
    if ('structs' in field) {
      this.point(position, this.number(field.structs.length, 4))
      for (const struct of field.structs) this.append(struct)
    }
    if ('tables' in field) {
      this.point(position, this.number(field.tables.length, 4))
      const elements = field.tables.map(() => this.reserve(4))
      for (const [index, element] of field.tables.entries()) this.point(elements[index] ?? 0, this.table(element))
    }
  }

  #blob(bytes: Uint8Array): number {
    const position = this.number(bytes.length, 4)
    this.append(bytes)
    return position
  }
}

function measureInline(field: Field): number {
  if (field === undefined) return 0
  if ('u8' in field) return 1
  if ('u64' in field) return 8
  return 'struct' in field ? field.struct.length : 4
}
