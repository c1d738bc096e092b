// The names of repositories that lie one level deeper: `gfs/v0.2.0.icechunk` is called `gfs-v0.2.0`.
import type { EntrySource } from '../catalog-entry.ts'

/** How many levels below a location a scan looks for repositories. */
export type ScanDepth = 1 | 2

/** Ending that the directories of repositories often have. It is no part of a name at depth 2. */
const ending = '.icechunk'

/** Maximum number of hyphens of a name that may stand for the slash of its directory. Callers choose the names. */
const maxSplits = 4

/**
 * Returns the name of the repository in a directory, which is a path below the location. It depends on nothing else, so
 * that it stays when other repositories appear.
 */
export function nameDirectory(directory: string, depth: ScanDepth): string {
  if (depth === 1) return directory
  const name = directory.replace('/', '-')
  return name.endsWith(ending) ? name.slice(0, -ending.length) : name
}

/**
 * Lists the directories in which a repository of this name can be. At depth 2, one of the last hyphens may stand for
 * the slash. A scan also finds repositories of versions with more hyphens.
 */
export function listCandidates(name: string, depth: ScanDepth): readonly string[] {
  if (name.includes('/')) return []
  if (depth === 1) return [name]
  const paths = [name]
  for (let at = name.lastIndexOf('-'); at > 0 && paths.length <= maxSplits; at = name.lastIndexOf('-', at - 1)) {
    paths.push(`${name.slice(0, at)}/${name.slice(at + 1)}`)
  }
  return paths.flatMap((path) => [path, path + ending])
}

/** A repository of a location of depth 2. The object stays the same while its name stands for the same directory. */
type NestedSource = EntrySource & { readonly directory: string }

/** The names of the known repositories of a location of depth 2. */
export class NestedNames {
  readonly #directories: ReadonlySet<string>
  readonly #source: EntrySource
  readonly #sources = new Map<string, NestedSource>()
  readonly #all = new Set<string>()

  /**
   * @param directories the known repositories; {@link update} is called when they have changed
   * @param source opens them by their directories
   */
  constructor(directories: ReadonlySet<string>, source: EntrySource) {
    this.#directories = directories
    this.#source = source
  }

  get all(): ReadonlySet<string> {
    return this.#all
  }

  get(name: string): NestedSource | undefined {
    return this.#sources.get(name)
  }

  /** Takes directories that were added or removed. Returns their names. */
  update(changed: readonly string[]): readonly string[] {
    const lost = new Set<string>()
    const names = changed.map((directory) => {
      const name = nameDirectory(directory, 2)
      if (this.#directories.has(directory)) this.#add(name, directory)
      else if (this.#sources.get(name)?.directory === directory) {
        this.#sources.delete(name)
        this.#all.delete(name)
        lost.add(name)
      }
      return name
    })
    // Another replica may have recorded a second directory of the same name.
    for (const directory of lost.size === 0 ? [] : this.#directories) {
      const name = nameDirectory(directory, 2)
      if (lost.has(name)) this.#add(name, directory)
    }
    return names
  }

  #add(name: string, directory: string): void {
    if (this.#sources.has(name)) return
    const { open, publish } = this.#source
    this.#sources.set(name, { directory, open: () => open(directory), publish: () => publish(directory) })
    this.#all.add(name)
  }
}
