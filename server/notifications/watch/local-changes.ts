// Notices writes to a repository in a local directory, so that a check comes sooner. The next scheduled check finds changes that the system
// does not report.
import { type FSWatcher, type Stats, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { mainRefKey, repoKey } from '@floe/storage/icechunk'

/** The files that hold the head of `main`, in version 2 and in version 1. Directories are watched, because files are replaced. */
const headFiles = [repoKey, mainRefKey]
const watchedDirectories = headFiles.map((file) => dirname(file))
/** Some systems report null instead of the name of the file. */
const watchedFiles = new Set<string | null>([...headFiles.map((file) => basename(file)), null])

/** A watched directory. These numbers change when it is replaced; as a text they would take twice the memory. */
type Watched = Pick<Stats, 'dev' | 'ino' | 'birthtimeMs'> & { readonly watcher: FSWatcher }

/** Told of changes. */
type Subject = { readonly noteChange: () => void }

/** Tells when a file that holds the head may have changed. Some are false alarms. */
export class LocalChanges {
  readonly #directory: string
  readonly #subject: Subject
  /** By the place in `watchedDirectories`. */
  readonly #watched: (Watched | undefined)[] = [undefined, undefined]

  constructor(directory: string, subject: Subject) {
    this.#directory = directory
    this.#subject = subject
  }

  /** Watches directories that were created or replaced since the last call, because `fs.watch` does not follow a replaced directory. */
  async renew(): Promise<void> {
    for (const [place, name] of watchedDirectories.entries()) {
      const path = join(this.#directory, name)
      const found = await stat(path).catch(() => undefined)
      const directory = found?.isDirectory() ? found : undefined
      if (isSame(directory, this.#watched[place])) continue
      this.#forget(place)
      if (directory !== undefined) this.#watch(place, path, directory)
    }
  }

  close(): void {
    for (const place of watchedDirectories.keys()) this.#forget(place)
  }

  #watch(place: number, path: string, { dev, ino, birthtimeMs }: Stats): void {
    try {
      const watcher = watch(path, { persistent: false }, (_, file) => {
        if (watchedFiles.has(file)) this.#subject.noteChange()
      })
      watcher.on('error', () => this.#forget(place))
      this.#watched[place] = { dev, ino, birthtimeMs, watcher }
    } catch {
      // The directory is gone, or the system allows no more watchers. Scheduled checks still find changes.
    }
  }

  #forget(place: number): void {
    this.#watched[place]?.watcher.close()
    this.#watched[place] = undefined
  }
}

function isSame(found: Stats | undefined, watched: Watched | undefined): boolean {
  return found?.ino === watched?.ino && found?.dev === watched?.dev && found?.birthtimeMs === watched?.birthtimeMs
}
