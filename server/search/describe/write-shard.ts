// Writes the rows of a shard of the index: up to 256 datasets of one snapshot, with everything that a search reads.
import type { DatasetRow, ShardSummary, WrittenShard } from '@floe/storage/database'
import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { AttributeChains } from '../../groups/attribute-chain.ts'
import type { RepositoryMetadata } from '../../groups/repository-metadata.ts'
import { cutText } from './cut-text.ts'
import { describeGroup, type DescribedDataset } from './describe-dataset.ts'
import { fingerprintGroups, haveSameDocuments } from './list-fingerprints.ts'
import { listExtent } from '../form/match-extent.ts'
import { PlaceWriter, writeNumber } from '../form/places.ts'
import { noBounds, widenBounds } from '../form/shard-bounds.ts'
import { chunksPerDataset, writeChunks } from '../form/variable-lines.ts'

/** A dataset of a shard: its path, and what the index says of its last change. */
export type ShardMember = {
  readonly path: string
  /** The fingerprint that the change led to; null for a dataset that the index has not. */
  readonly fingerprint: string | null
  readonly changedAt: number
  readonly changedMessage: string
}

/** Longest message of a commit that results show, in code points. */
const maxMessage = 200

/** Size of a shard after which no further dataset is added, in UTF-16 code units. One dataset can be larger. */
export const maxShardLength = 2_000_000

/**
 * Describes as many of the first of these datasets as fit into one shard, but at least one. Returns no bytes if none of
 * them has changed, unless the shard is resized.
 */
export function writeShard(
  snapshot: Snapshot,
  {
    repo,
    metadata,
    members,
    isResized,
  }: RepositoryMetadata & {
    readonly repo: string
    readonly members: readonly ShardMember[]
    readonly isResized: boolean
  },
  cancellation?: Cancellation,
): Buffer<ArrayBuffer> {
  const writer = new ShardWriter()
  const chains = new AttributeChains(snapshot, cancellation, metadata)
  const fingerprints = fingerprintGroups(snapshot, { metadata })
  if (!isResized && members.every(({ path, fingerprint }) => fingerprints(path) === fingerprint)) return Buffer.alloc(0)
  const head = { changedAt: snapshot.writtenAt.getTime(), changedMessage: cutText(snapshot.message, maxMessage) }
  for (const member of members) {
    cancellation?.throwIfAborted()
    const { path } = member
    const fingerprint = fingerprints(path)
    const { changedAt, changedMessage } = haveSameDocuments(fingerprint, member.fingerprint) ? member : head
    const described = describeGroup(snapshot, { repo, path, above: chains.readAbove(path) }, cancellation)
    writer.add(described, { fingerprint, changedAt, changedMessage })
    if (writer.length > maxShardLength) break
  }
  return writer.write()
}

/** Collects the rows of a shard. */
export class ShardWriter {
  readonly #datasets: DatasetRow[] = []
  readonly #places = new PlaceWriter()
  readonly #variables: { readonly chunk: number; readonly lines: string }[] = []
  readonly #counts: number[] = []
  readonly #extents: number[] = []
  #bounds = noBounds
  /** Length of the rows, roughly, in UTF-16 code units. */
  length = 0

  /** Adds a dataset, whose path sorts after those before. */
  add(
    dataset: DescribedDataset,
    { fingerprint, changedAt, changedMessage }: Omit<ShardMember, 'path'> & { readonly fingerprint: string },
  ): void {
    const number = this.#datasets.length
    const { path, title, summary, institution, keywords, licence, kind, refusal } = dataset
    const { dimensions, variables, variableCount } = dataset
    const before = this.#places.count
    for (const [term, places] of dataset.terms) this.#places.add(term, number, places)
    const row = {
      number,
      path,
      fingerprint,
      changed_at: changedAt,
      changed_message: changedMessage,
      institution,
      keywords,
      licence,
      kind,
      title,
      summary,
      refusal,
      dimensions: writeDimensions(dimensions),
      variable_count: variableCount,
    }
    this.#datasets.push(row)
    const chunks = writeChunks(variables)
    for (const [index, lines] of chunks.entries())
      this.#variables.push({ chunk: number * chunksPerDataset + index, lines })
    for (const count of [variableCount, dataset.dataVariableCount, dataset.measuredCount])
      writeNumber(this.#counts, count)
    this.#extents.push(...listExtent(dataset.extent, changedAt))
    this.#bounds = widenBounds(this.#bounds, dataset.extent)
    // A place takes about six digits, with its share of the term.
    this.length += 6 * (this.#places.count - before) + chunks.reduce((sum, { length }) => sum + length, 0)
  }

  /** Writes a line of JSON for each table, so that the main thread need not parse what it passes to the database. */
  write(): Buffer<ArrayBuffer> {
    const summary: ShardSummary = {
      datasets: this.#datasets.length,
      length: this.length,
      counts: Buffer.from(this.#counts).toString('hex'),
      extents: Buffer.from(Float64Array.from(this.#extents).buffer).toString('hex'),
      bounds: this.#bounds,
    }
    const words = this.#places.write().map(([term, places]) => ({ term, places }))
    const lines = [summary, this.#datasets, words, this.#variables].map((value) => JSON.stringify(value))
    // In memory of its own, which a thread can hand over.
    return Buffer.from(new TextEncoder().encode(lines.join('\n')).buffer)
  }
}

/** Sizes as digits, because they may be beyond 2^53. */
function writeDimensions(dimensions: DescribedDataset['dimensions']): string {
  return JSON.stringify(dimensions.map(([name, size]) => [name, String(size)]))
}

/** Splits what {@link ShardWriter} has written. Only the first line is parsed. */
export function readShardRows(body: Buffer): WrittenShard {
  const [summary = '', datasets = '', words = '', variables = ''] = body.toString().split('\n', 4)
  return { summary: JSON.parse(summary) as ShardSummary, datasets, words, variables } // the writer has written one
}
