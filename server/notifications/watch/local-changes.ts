// Notices writes to a repository in a local directory, so that a check comes sooner. The next scheduled check finds changes that the system
// does not report.
import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { mainRefKey, repoKey } from '@floe/storage/icechunk'

/** The files that hold the head of `main`, in version 2 and in version 1. Directories are watched, because files are replaced. */
const headFiles = [repoKey, mainRefKey]
const watchedDirectories = headFiles.map((file) => dirname(file))
/** Some systems report null instead of the name of the file. */
const watchedFiles = new Set<string | null>([...headFiles.map((file) => basename(file)), null])

type Watched = { readonly mark: string; readonly watcher: FSWatcher }

/** Calls back when a file that holds the head may have changed. Some calls are false alarms. */
export class LocalChanges {
  readonly #directory: string
  readonly #onChange: () => void
  /** By the place in `watchedDirectories`. */
  readonly #watched: (Watched | undefined)[] = [undefined, undefined]

  constructor(directory: string, onChange: () => void) {
    this.#directory = directory
    this.#onChange = onChange
  }

  /** Watches directories that were created or replaced since the last call, because `fs.watch` does not follow a replaced directory. */
  async renew(): Promise<void> {
    for (const [place, name] of watchedDirectories.entries()) {
      const path = join(this.#directory, name)
      const found = await stat(path, { bigint: true }).catch(() => undefined)
      const mark = found?.isDirectory() ? `${found.dev}-${found.ino}-${found.birthtimeNs}` : undefined
      if (mark === this.#watched[place]?.mark) continue
      this.#forget(place)
      if (mark !== undefined) this.#watch(place, path, mark)
    }
  }

  close(): void {
    for (const place of watchedDirectories.keys()) this.#forget(place)
  }

  #watch(place: number, path: string, mark: string): void {
    try {
      const watcher = watch(path, { persistent: false }, (_, file) => {
        if (watchedFiles.has(file)) this.#onChange()
      })
      watcher.on('error', () => this.#forget(place))
      this.#watched[place] = { mark, watcher }
    } catch {
      // The directory is gone, or the system allows no more watchers. Scheduled checks still find changes.
    }
  }

  #forget(place: number): void {
    this.#watched[place]?.watcher.close()
    this.#watched[place] = undefined
  }
}
