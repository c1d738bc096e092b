// Notices writes to a repository in a local directory. It only brings a look forward: what cannot be watched is polled.
import { watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the files lie that tell the head of `main`: `repo` in version 2, `ref.json` in version 1. */
const watchedDirectories = ['.', 'refs/branch.main']
const watchedFiles = new Set<string | null>(['repo', 'ref.json', null])

type Watched = { readonly mark: string; readonly watcher: FSWatcher }

/** Calls back when a file that tells the head may have changed; more often than it does. */
export class LocalChanges {
  readonly #directory: string
  readonly #onChange: () => void
  readonly #watched = new Map<string, Watched>()

  constructor(directory: string, onChange: () => void) {
    this.#directory = directory
    this.#onChange = onChange
  }

  /** Begins to watch, also what was made or replaced since the last time: a watcher stays with the directory that it was given. */
  async renew(): Promise<void> {
    for (const name of watchedDirectories) {
      const path = join(this.#directory, name)
      const found = await stat(path, { bigint: true }).catch(() => undefined)
      const mark = found?.isDirectory() ? `${found.dev}-${found.ino}-${found.birthtimeNs}` : undefined
      if (mark === this.#watched.get(name)?.mark) continue
      this.#forget(name)
      if (mark !== undefined) this.#watch(name, path, mark)
    }
  }

  close(): void {
    for (const name of this.#watched.keys()) this.#forget(name)
  }

  #watch(name: string, path: string, mark: string): void {
    try {
      const watcher = watch(path, { persistent: false }, (_, file) => {
        if (watchedFiles.has(file)) this.#onChange()
      })
      watcher.on('error', () => this.#forget(name))
      this.#watched.set(name, { mark, watcher })
    } catch {
      // Gone meanwhile, or the system's limit of watches is reached: the poll notices what happens here.
    }
  }

  #forget(name: string): void {
    this.#watched.get(name)?.watcher.close()
    this.#watched.delete(name)
  }
}
