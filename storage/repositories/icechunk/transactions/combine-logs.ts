// Combines transaction logs like the diff of official Icechunk: the union of the sets of nodes, the distinct chunks of
// each array, and each move as a separate step. A node that was created and updated is in both sets; a node that was
// created and deleted is in neither snapshot.
import type { Cancellation } from '../../json/index.ts'
import { RangeTooLongError } from '../errors.ts'
import { openEnvelope, type StoredFile } from '../format/envelope.ts'
import type { ReaderLimits } from '../limits.ts'
import type { Move, NodeId } from '../types.ts'
import { ChunkCounts } from './chunk-counts.ts'
import { type NodeChange, type NodeKind, TransactionLog } from './transaction-log.ts'

type NodeChanges = Readonly<Record<NodeChange, ReadonlySet<NodeId>>>

export type CombinedLogs = Readonly<Record<NodeKind, NodeChanges>> & {
  /** In the order of their commits. A node that was moved twice has two entries. */
  readonly moves: readonly Move[]
  /** Number of distinct chunks of each array that were written or deleted. */
  readonly chunks: ReadonlyMap<NodeId, number>
}

/**
 * Combines logs, oldest first.
 *
 * @throws RangeTooLongError, DamagedObjectError, LimitExceededError, UnsupportedFormatError, and the reason of the
 * cancellation
 */
export async function combineLogs(
  files: readonly StoredFile[],
  limits: ReaderLimits,
  cancellation?: Cancellation,
): Promise<CombinedLogs> {
  const combination = new LogCombination(limits)
  for (const file of files) {
    cancellation?.throwIfAborted()
    await combination.add(file)
  }
  return combination.finish()
}

class LogCombination {
  readonly #limits: ReaderLimits
  readonly #sets = { groups: makeSets(), arrays: makeSets() }
  readonly #moves: Move[] = []
  readonly #chunks = new ChunkCounts()
  #payloadBytesLeft: number
  #extractedBytesLeft: number
  #nodesLeft: number
  #chunksLeft: number

  constructor(limits: ReaderLimits) {
    this.#limits = limits
    this.#payloadBytesLeft = limits.maxRangeBytes
    this.#extractedBytesLeft = limits.maxRangeBytes
    this.#nodesLeft = limits.maxRangeNodes
    this.#chunksLeft = limits.maxRangeChunks
  }

  async add(file: StoredFile): Promise<void> {
    const envelope = await openEnvelope(file, 'transaction log', this.#limits)
    this.#payloadBytesLeft -= envelope.payload.length
    if (this.#payloadBytesLeft < 0) throw this.#exceed(file, 'maxRangeBytes', 'have more than', 'bytes')
    const limits = { ...this.#limits, maxInflatedBytes: this.#extractedBytesLeft }
    const log = new TransactionLog(envelope, file.key, limits)
    for (const kind of ['groups', 'arrays'] as const)
      for (const change of ['created', 'deleted', 'updated'] as const) this.#addNodes(file, log, kind, change)
    for (const move of log.listMoves()) {
      this.#takeNode(file)
      this.#moves.push(move)
    }
    this.#addChunks(file, log)
    this.#extractedBytesLeft = log.bytesLeft
  }

  finish(): CombinedLogs {
    return { ...this.#sets, moves: this.#moves, chunks: this.#chunks.count() }
  }

  #addNodes(file: StoredFile, log: TransactionLog, kind: NodeKind, change: NodeChange): void {
    const ids = this.#sets[kind][change]
    for (const id of log.listNodes(kind, change)) {
      if (ids.has(id)) continue
      this.#takeNode(file)
      ids.add(id)
    }
  }

  #addChunks(file: StoredFile, log: TransactionLog): void {
    for (const { node, count, coordinates } of log.listChunks()) {
      this.#chunksLeft -= count
      if (this.#chunksLeft < 0) throw this.#exceed(file, 'maxRangeChunks', 'list more than', 'chunks')
      for (const chunk of coordinates) this.#chunks.add(node, chunk)
    }
  }

  #takeNode(file: StoredFile): void {
    if (--this.#nodesLeft < 0) throw this.#exceed(file, 'maxRangeNodes', 'name more than', 'nodes')
  }

  #exceed(
    { repository }: StoredFile,
    limit: 'maxRangeBytes' | 'maxRangeNodes' | 'maxRangeChunks',
    verb: string,
    noun: string,
  ): RangeTooLongError {
    const value = this.#limits[limit]
    const excess = `the transaction logs between the snapshots ${verb} ${value} ${noun}`
    return new RangeTooLongError(repository, limit, value, excess)
  }
}

function makeSets() {
  return { created: new Set<NodeId>(), deleted: new Set<NodeId>(), updated: new Set<NodeId>() }
}
