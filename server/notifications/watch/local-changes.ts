// Notices writes to a repository in a local directory, so that a check comes sooner. The next poll finds changes that
// the system does not report.
import { type FSWatcher, type Stats, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { mainRefKey, repoKey } from '@floe/storage/icechunk'

/**
 * The files that contain the head of `main`, in version 2 and in version 1. Their directories are watched, because
 * writers replace the files.
 */
const headFiles = [repoKey, mainRefKey]
const watchedDirectories = headFiles.map((file) => dirname(file))
/** Some systems report null instead of the name of the file. */
const watchedFiles = new Set<string | null>([...headFiles.map((file) => basename(file)), null])

/** A watched directory. These numbers change when it is replaced; as a text they would take twice the memory. */
type WatchedDirectory = Pick<Stats, 'dev' | 'ino' | 'birthtimeMs'> & { readonly watcher: FSWatcher }

/** The repository to check when its files may have changed. */
type ChangingRepository = { readonly noteChange: () => void }

/** Calls `noteChange` when a file that contains the head may have changed; may report changes that did not happen. */
export class LocalChanges {
  readonly #directory: string
  readonly #repository: ChangingRepository
  /** By the index in `watchedDirectories`. */
  readonly #watched: (WatchedDirectory | undefined)[] = [undefined, undefined]

  constructor(directory: string, repository: ChangingRepository) {
    this.#directory = directory
    this.#repository = repository
  }

  /**
   * Watches directories that were created or replaced since the last call, because `fs.watch` does not follow a
   * replaced directory.
   */
  async renew(): Promise<void> {
    for (const [index, name] of watchedDirectories.entries()) {
      const path = join(this.#directory, name)
      const stats = await stat(path).catch(() => undefined)
      const directory = stats?.isDirectory() ? stats : undefined
      if (isSame(directory, this.#watched[index])) continue
      this.#forget(index)
      if (directory !== undefined) this.#watch(index, path, directory)
    }
  }

  close(): void {
    for (const index of watchedDirectories.keys()) this.#forget(index)
  }

  #watch(index: number, path: string, { dev, ino, birthtimeMs }: Stats): void {
    try {
      const watcher = watch(path, { persistent: false }, (_, file) => {
        if (watchedFiles.has(file)) this.#repository.noteChange()
      })
      watcher.on('error', () => this.#forget(index))
      this.#watched[index] = { dev, ino, birthtimeMs, watcher }
    } catch {
      // The directory is gone, or the system allows no more watchers. Polls still find changes.
    }
  }

  #forget(index: number): void {
    this.#watched[index]?.watcher.close()
    this.#watched[index] = undefined
  }
}

function isSame(now: Stats | undefined, watched: WatchedDirectory | undefined): boolean {
  return now?.ino === watched?.ino && now?.dev === watched?.dev && now?.birthtimeMs === watched?.birthtimeMs
}
