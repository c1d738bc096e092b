// Combines transaction logs as official Icechunk does for its diff: the sets of the logs are united, the chunks of an array are counted
// once, and moves stay single steps. A node that was created and updated is in both sets; one that was created and deleted is found in
// neither snapshot afterwards.
import type { Cancellation } from '../../json/index.ts'
import { RangeTooLongError } from '../errors.ts'
import { openEnvelope, type StoredFile } from '../format/envelope.ts'
import type { ReaderLimits } from '../limits.ts'
import type { Move, NodeId } from '../types.ts'
import { ChunkCounts } from './chunk-counts.ts'
import { type NodeChange, type NodeKind, TransactionLog } from './transaction-log.ts'

type NodeChanges = Readonly<Record<NodeChange, ReadonlySet<NodeId>>>

export type CombinedLogs = Readonly<Record<NodeKind, NodeChanges>> & {
  /** In the order in which they were made; a node that was moved twice has two. */
  readonly moves: readonly Move[]
  /** How many different chunks of each array were written or deleted. */
  readonly chunks: ReadonlyMap<NodeId, number>
}

/**
 * Combines logs, oldest first.
 *
 * @throws RangeTooLongError, DamagedObjectError, LimitExceededError, UnsupportedFormatError, and what the cancellation throws
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
    const known = this.#sets[kind][change]
    for (const id of log.listNodes(kind, change)) {
      if (known.has(id)) continue
      this.#takeNode(file)
      known.add(id)
    }
  }

  #addChunks(file: StoredFile, log: TransactionLog): void {
    for (const { node, count, places } of log.listChunks()) {
      this.#chunksLeft -= count
      if (this.#chunksLeft < 0) throw this.#exceed(file, 'maxRangeChunks', 'list more than', 'chunks')
      for (const place of places) this.#chunks.add(node, place)
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
