// The files that the main thread reads for a thread.
import type { Repository, SnapshotId, StoredFile } from '@floe/storage/icechunk'
import type { SnapshotFile, SnapshotQuestion } from './reader-messages.ts'

/** The snapshots that a question is about. */
export function listSnapshots({ id, question }: SnapshotQuestion): readonly SnapshotId[] {
  return 'from' in question && question.from !== id ? [id, question.from] : [id]
}

/** Reads the files of snapshots. */
export function readFiles(
  repository: Repository,
  ids: readonly SnapshotId[],
  signal: AbortSignal,
): Promise<readonly SnapshotFile[]> {
  return Promise.all(
    ids.map(async (id) => ({ id, file: withOwnMemory(await repository.readSnapshotFile(id, signal)) })),
  )
}

/**
 * Gives a file memory of its own, which can be transferred to a thread. Stores may return a part of a larger buffer.
 */
export function withOwnMemory(file: StoredFile): StoredFile {
  const { bytes } = file
  return bytes.byteLength === bytes.buffer.byteLength ? file : { ...file, bytes: new Uint8Array(bytes) }
}
