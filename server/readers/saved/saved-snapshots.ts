import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReaderLimits, Snapshot } from '@floe/storage/icechunk'
import { SavedFile, type SavedGroup, type SavedKey, writeSavedFile } from './saved-file.ts'

/** Sizes in bytes. */
export type SavedSizes = {
  /** Smaller snapshots, decompressed, are not saved: reading the object takes as long. Default 8 MiB. */
  readonly minSnapshot: number
  /** Largest size of all files together. The oldest are deleted first. Default 512 MiB. */
  readonly maxTotal: number
}

const defaultSizes: SavedSizes = { minSnapshot: 8 * 1024 * 1024, maxTotal: 512 * 1024 * 1024 }

/** Finished files and those that are being written. Everything else in the directory is left alone. */
const fileName = /^[0-9a-f]{64}(?:\.new-[0-9a-f-]{36})?$/

/**
 * Saves large snapshots in files, so that a process that starts anew answers questions about them without decompressing them. Every file
 * may be deleted at any time. A file that is damaged, or not the one that its name says, counts as missing and is deleted.
 */
export class SavedSnapshots {
  readonly #directory: string
  readonly #limits: ReaderLimits
  readonly #sizes: SavedSizes

  constructor(directory: string, limits: ReaderLimits, sizes = defaultSizes) {
    this.#directory = directory
    this.#limits = limits
    this.#sizes = sizes
  }

  /** The list of all datasets as JSON; undefined when the snapshot is not saved. */
  readDatasets(key: SavedKey): Promise<Uint8Array | undefined> {
    return this.#read(key, (file) => file.readDatasets())
  }

  /** A group with what lies directly in it; undefined when the snapshot or the group is not saved. */
  readGroup(key: SavedKey, group: string): Promise<SavedGroup | undefined> {
    return this.#read(key, (file) => file.readGroup(group))
  }

  /**
   * Saves a snapshot if it is large and not saved yet. `listDatasets` gives the list of all its datasets as JSON.
   *
   * @throws the error of the system when the directory cannot be written to
   */
  async save(key: SavedKey, snapshot: Snapshot, listDatasets: () => Uint8Array): Promise<void> {
    if (snapshot.nodes.objectBytes < this.#sizes.minSnapshot) return
    const path = this.#pathOf(key)
    if (await exists(path)) return
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const unfinished = `${path}.new-${randomUUID()}`
    try {
      await writeFile(unfinished, writeSavedFile(key, snapshot, listDatasets()))
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
    await this.#deleteOldest()
  }

  async #read<Part>(key: SavedKey, read: (file: SavedFile) => Promise<Part>): Promise<Part | undefined> {
    const path = this.#pathOf(key)
    const handle = await openIfPresent(path)
    if (handle === undefined) return undefined
    try {
      return await read(await SavedFile.open(handle, key, this.#limits))
    } catch {
      // Whatever is wrong with the file, the object of the snapshot has everything, and a new file is written from it.
      await rm(path, { force: true }).catch(() => undefined)
      return undefined
    } finally {
      await handle.close()
    }
  }

  async #deleteOldest(): Promise<void> {
    const names = (await readdir(this.#directory)).filter((name) => fileName.test(name))
    const found = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#directory, name)
        // Another thread may have deleted it since.
        const facts = await stat(path).catch(() => undefined)
        return facts && { path, size: facts.size, mtimeMs: facts.mtimeMs }
      }),
    )
    const files = found.filter((file) => file !== undefined)
    let total = files.reduce((sum, { size }) => sum + size, 0)
    for (const { path, size } of files.sort((one, other) => one.mtimeMs - other.mtimeMs)) {
      if (total <= this.#sizes.maxTotal) break
      await rm(path, { force: true })
      total -= size
    }
  }

  #pathOf({ repository, id }: SavedKey): string {
    return join(this.#directory, createHash('sha256').update(`${id} ${repository}`).digest('hex'))
  }
}

async function exists(path: string): Promise<boolean> {
  const handle = await openIfPresent(path)
  await handle?.close()
  return handle !== undefined
}

/** Undefined when the file cannot be opened, for whatever reason: then it is not used. */
async function openIfPresent(path: string): Promise<FileHandle | undefined> {
  return open(path).catch(() => undefined)
}

async function writeFile(path: string, parts: Iterable<Uint8Array>): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    for (const part of parts) await handle.writeFile(part)
  } finally {
    await handle.close()
  }
}
