import { maxNameChanges, type NameChange, type SourceRecords } from '@floe/storage/database'

/** How replicas share what scans find. */
export type SharedScans = SourceRecords & {
  /** Whether this process scans a source. One replica at a time does. */
  readonly isScanner: (sourceId: string) => boolean
  /** Called when the database fails. The names that are known stay in use. */
  readonly onError: (error: unknown) => void
}

type SourceNamesOptions = {
  /** Undefined for a source that this process scans alone. */
  readonly shared: (SharedScans & { readonly sourceId: string }) | undefined
  /** Called with the names of repositories that were found or are gone. */
  readonly onChange: (names: readonly string[]) => void
}

/**
 * The names of the repositories of a source. The replica that scans the source records them in the database, and the
 * others read them there.
 */
export class SourceNames {
  readonly #options: SourceNamesOptions
  readonly #all = new Set<string>()
  /** Changes that this process has found and the database may lack: by name, whether the repository is gone. */
  readonly #unrecorded = new Map<string, boolean>()
  /** Whether some of these changes are or were removals. */
  #hasRemoved = false
  /** Number of the last change that was read from the database. */
  #readThrough = 0
  #isRecorded = false
  /**
   * Whether this process has scanned the source since it last read the database, so that no other process has changed
   * anything.
   */
  #isScanner = false
  #isRecording = false
  #isClosed = false

  constructor(options: SourceNamesOptions) {
    this.#options = options
  }

  get all(): ReadonlySet<string> {
    return this.#all
  }

  /** Whether some replica has recorded names. */
  get isRecorded(): boolean {
    return this.#isRecorded
  }

  add(listed: string): void {
    if (this.#all.has(listed)) return
    // A copy, because V8 makes a name that was cut out of a listing keep all of it.
    const name = Buffer.from(listed).toString()
    this.#all.add(name)
    if (this.#options.shared !== undefined) this.#unrecorded.set(name, false)
    this.#options.onChange([name])
  }

  remove(names: readonly string[]): void {
    for (const name of names) {
      this.#all.delete(name)
      if (this.#options.shared !== undefined) this.#unrecorded.set(name, true)
    }
    if (names.length === 0) return
    this.#hasRemoved = true
    this.#options.onChange(names)
  }

  /** Whether this process scans the source, and knows all that other replicas have recorded. */
  get isExclusive(): boolean {
    const { shared } = this.#options
    return shared === undefined || (this.#isScanner && shared.isScanner(shared.sourceId))
  }

  /**
   * Reads the names that other replicas have recorded.
   *
   * @returns whether this process has to scan the source: it is the scanner, or no replica has recorded names yet
   */
  async readRecorded(): Promise<boolean> {
    const { shared } = this.#options
    if (shared === undefined) return true
    const isScanner = shared.isScanner(shared.sourceId)
    try {
      // The replica that scans the source finds these repositories too, unless they are gone.
      if (!isScanner && !this.#isRecording) this.#forgetUnrecorded()
      await this.#read(shared)
      this.#isScanner = isScanner
    } catch (error) {
      this.#note(error, shared)
    }
    return isScanner || !this.#isRecorded
  }

  /**
   * Records the changes that this process has found. Changes that cannot be recorded now are recorded by the next call.
   */
  async record(): Promise<void> {
    const { shared } = this.#options
    if (shared === undefined || this.#isRecording) return
    this.#isRecording = true
    try {
      while (this.#unrecorded.size > 0 || !this.#isRecorded) {
        const batch = this.#unrecorded.entries().take(maxNameChanges).toArray()
        const changes = batch.map(([name, isGone]): NameChange => ({ name, isGone }))
        await shared.record({ sourceId: shared.sourceId, changes })
        this.#isRecorded = true
        // A name may have changed again meanwhile.
        for (const [name, isGone] of batch) if (this.#unrecorded.get(name) === isGone) this.#unrecorded.delete(name)
      }
      this.#hasRemoved = false
    } catch (error) {
      this.#note(error, shared)
    } finally {
      this.#isRecording = false
    }
  }

  /** Reports no failure of the database from now on, because it is closed next. */
  close(): void {
    this.#isClosed = true
  }

  #note(error: unknown, { onError }: SharedScans): void {
    if (!this.#isClosed) onError(error)
  }

  #forgetUnrecorded(): void {
    const added = [...this.#unrecorded].flatMap(([name, isGone]) => (isGone ? [] : [name]))
    this.#unrecorded.clear()
    // The names that were removed may still be recorded, with changes that were read long ago: read all again.
    if (this.#hasRemoved) this.#readThrough = 0
    this.#hasRemoved = false
    for (const name of added) this.#all.delete(name)
    if (added.length > 0) this.#options.onChange(added)
  }

  async #read({ read, sourceId }: SharedScans & { readonly sourceId: string }): Promise<void> {
    let hasMore = true
    while (hasMore) {
      const { through, changes, ...page } = await read(sourceId, this.#readThrough)
      for (const { name, isGone } of changes) {
        // This process has found it too. It stays known, because it will not be read again.
        if (this.#unrecorded.get(name) === isGone) this.#unrecorded.delete(name)
        // This process has found a later change of the name.
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
