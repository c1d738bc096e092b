import { maxNameChanges, type NameChange, type SourceRecords } from '@floe/storage/database'

/** How replicas share what scans find. */
export type SharedScans = SourceRecords & {
  /** Whether this process scans a source. One replica at a time does. */
  readonly isScanner: (sourceId: string) => boolean
  /** Called when the database fails. What is known stays in use. */
  readonly onError: (error: unknown) => void
}

type SourceNamesOptions = {
  /** Undefined for a source that this process scans alone. */
  readonly shared: (SharedScans & { readonly sourceId: string }) | undefined
  /** Called with the names of repositories that were found or are gone. */
  readonly onChange: (names: readonly string[]) => void
}

/**
 * The names of the repositories of a source. The replica that scans the source records them in the database, and the others read them there.
 */
export class SourceNames {
  readonly #options: SourceNamesOptions
  readonly #all = new Set<string>()
  /** Changes that this process has found and the database may lack: by name, whether the repository is gone. */
  readonly #unrecorded = new Map<string, boolean>()
  /** Number of the last change that was read from the database. */
  #readThrough = 0
  #isRecorded = false
  /** Whether this process has scanned the source since it last read the database, so that nobody else has changed anything. */
  #isScanner = false
  #isRecording = false

  constructor(options: SourceNamesOptions) {
    this.#options = options
  }

  get all(): ReadonlySet<string> {
    return this.#all
  }

  /** Whether the database knows what some replica has found. */
  get isRecorded(): boolean {
    return this.#isRecorded
  }

  add(found: string): void {
    if (this.#all.has(found)) return
    // A copy, because V8 makes a name that was cut out of a listing keep all of it.
    const name = Buffer.from(found).toString()
    this.#all.add(name)
    if (this.#options.shared !== undefined) this.#unrecorded.set(name, false)
    this.#options.onChange([name])
  }

  remove(names: readonly string[]): void {
    for (const name of names) {
      this.#all.delete(name)
      if (this.#options.shared !== undefined) this.#unrecorded.set(name, true)
    }
    if (names.length > 0) this.#options.onChange(names)
  }

  /** Whether this process scans the source, and no other has changed anything that it does not know. */
  get isOwn(): boolean {
    const { shared } = this.#options
    return shared === undefined || (this.#isScanner && shared.isScanner(shared.sourceId))
  }

  /**
   * Reads what other replicas have found.
   *
   * @returns whether this process has to scan the source; also true if no replica has
   */
  async learn(): Promise<boolean> {
    const { shared } = this.#options
    if (shared === undefined) return true
    const isScanner = shared.isScanner(shared.sourceId)
    try {
      // The replica that scans the source finds this too, or it is gone.
      if (!isScanner && !this.#isRecording) this.#forgetUnrecorded()
      await this.#read(shared)
      this.#isScanner = isScanner
    } catch (error) {
      shared.onError(error)
    }
    return isScanner || !this.#isRecorded
  }

  /** Records what this process has found. What the database does not take is recorded the next time. */
  async record(): Promise<void> {
    const { shared } = this.#options
    if (shared === undefined || this.#isRecording) return
    this.#isRecording = true
    try {
      while (this.#unrecorded.size > 0 || !this.#isRecorded) {
        const found = this.#unrecorded.entries().take(maxNameChanges).toArray()
        const changes = found.map(([name, isGone]): NameChange => ({ name, isGone }))
        await shared.record({ sourceId: shared.sourceId, changes })
        this.#isRecorded = true
        for (const [name, isGone] of found) if (this.#unrecorded.get(name) === isGone) this.#unrecorded.delete(name)
      }
    } catch (error) {
      shared.onError(error)
    } finally {
      this.#isRecording = false
    }
  }

  #forgetUnrecorded(): void {
    const own = [...this.#unrecorded].flatMap(([name, isGone]) => (isGone ? [] : [name]))
    this.#unrecorded.clear()
    for (const name of own) this.#all.delete(name)
    if (own.length > 0) this.#options.onChange(own)
  }

  async #read({ read, sourceId }: SharedScans & { readonly sourceId: string }): Promise<void> {
    let hasMore = true
    while (hasMore) {
      const { through, changes, ...page } = await read(sourceId, this.#readThrough)
      for (const { name, isGone } of changes) {
        // This process has looked at it since.
        if (this.#unrecorded.has(name)) continue
        if (isGone) this.#all.delete(name)
        else this.#all.add(name)
      }
      if (changes.length > 0) this.#options.onChange(changes.map(({ name }) => name))
      this.#readThrough = through
      this.#isRecorded ||= through > 0
      hasMore = page.hasMore
    }
  }
}
