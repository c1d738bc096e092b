// Repositories that grow, and the truth about them: when which branch and tag pointed where.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildLog } from '../../test/storage/repositories/icechunk/build-log.ts'
import { buildId, buildRepo, buildSnapshot } from '../../test/storage/repositories/icechunk/build-object.ts'
import type { SeededRandom } from './seeded-random.ts'
import { buildNodes, listManifests, listUpdated } from './commits.ts'

/** Numbers of commits that each repository has for itself; `buildId` has 65,536. */
const commitsOfRepository = 2_000

/** Folders with a file for each commit. */
const folders = ['snapshots', 'transactions'] as const

/** Commits that no ref needs are listed for as long as there are at most this many. */
const maxListed = 60

const branchNames = ['dev', 'dev/fix', 'release-1', 'release-2']

type MadeCommit = {
  /** Undefined for the first one, and after the expiry of its parent. */
  parent: number | undefined
  readonly at: number
}

/** Where a branch or tag pointed from a time of the clock on. */
export type RefChange = {
  readonly clock: number
  /** Undefined while it does not exist. */
  readonly commit: number | undefined
  /** When the commit was written, by the clock of its writer. */
  readonly writtenAt: number | undefined
}

/** The random numbers and the clocks of a repository, in milliseconds since 1970. */
export type Nature = {
  readonly random: SeededRandom
  /** The clock of the services. */
  readonly readClock: () => number
  /** The clock of the one who writes the next commit. */
  readonly readWriterClock: () => number
}

/** One repository. */
export class ChangingRepository {
  readonly name: string
  protected readonly directory: string
  readonly #nature: Nature
  readonly #first: number
  #last: number
  readonly commits = new Map<number, MadeCommit>()
  readonly branches = new Map<string, number>()
  readonly tags = new Map<string, number>()
  /** By kind and name, such as `branch main`. */
  readonly changes = new Map<string, RefChange[]>()
  #tagCount = 0

  constructor(name: string, parent: string, index: number, nature: Nature) {
    this.name = name
    this.#nature = nature
    this.directory = join(parent, name)
    this.#first = 1 + index * commitsOfRepository
    this.#last = this.#first - 1
    for (const folder of folders) mkdirSync(join(this.directory, folder), { recursive: true })
    this.#commit('main', undefined)
    this.write()
  }

  /** Changes something, and writes it. Returns what, in words; undefined when the repository is full. */
  change(): string | undefined {
    const { random } = this.#nature
    const branch = random.choose([...this.branches.keys()])
    return this.#changeBranch(branch, (head) => this.#changeRef(random.below(20), branch, head))
  }

  /** Moves `main` back, or on to another content. Returns what it did in words, like `change`. */
  turn(): string | undefined {
    return this.#changeBranch('main', (head) => {
      const parent = this.commits.get(head)?.parent
      if (parent !== undefined && this.#nature.random.chance(0.4)) return this.#point('branch', 'main', parent)
      return this.#commit('main', this.#add(this.#add(head)))
    })
  }

  #changeBranch(branch: string, change: (head: number) => string): string | undefined {
    if (this.#last + 3 >= this.#first + commitsOfRepository) return undefined
    const what = change(this.branches.get(branch) ?? this.#last)
    this.#expire(maxListed)
    this.write()
    return what
  }

  #changeRef(choice: number, branch: string, head: number): string {
    const { random } = this.#nature
    const other = random.choose(branchNames)
    const parent = this.commits.get(head)?.parent
    if (choice === 0 && parent !== undefined) return this.#point('branch', branch, parent)
    if (choice === 1 && parent !== undefined) return this.#commit(branch, parent)
    if (choice === 2 && this.branches.has(other)) return this.#point('branch', other, undefined)
    if (choice <= 4 && !this.branches.has(other)) return this.#point('branch', other, head)
    if (choice === 5) return this.#point('tag', `v${++this.#tagCount}`, head)
    const [tag] = this.tags.keys()
    if (choice === 6 && tag !== undefined) return this.#point('tag', tag, undefined)
    if (choice === 7) {
      const middle = this.#add(head)
      return this.#commit(branch, middle)
    }
    return this.#commit(branch, head)
  }

  /** Makes a new commit the head of a branch. */
  #commit(branch: string, parent: number | undefined): string {
    return this.#point('branch', branch, this.#add(parent))
  }

  #add(parent: number | undefined): number {
    const commit = ++this.#last
    this.commits.set(commit, { parent, at: this.#nature.readWriterClock() })
    const id = buildId(commit)
    const before = parent === undefined ? {} : { parent: buildId(parent) }
    const content = { nodes: buildNodes(commit), manifests: listManifests(commit) }
    writeFileSync(join(this.directory, 'snapshots', id), buildSnapshot({ id, ...before, ...content }))
    writeFileSync(join(this.directory, 'transactions', id), buildLog({ id, ...listUpdated(commit, parent) }))
    return commit
  }

  #point(kind: 'branch' | 'tag', name: string, commit: number | undefined): string {
    const refs = kind === 'branch' ? this.branches : this.tags
    if (commit === undefined) refs.delete(name)
    else refs.set(name, commit)
    const key = `${kind} ${name}`
    const changes = this.changes.get(key) ?? []
    this.changes.set(key, changes)
    const writtenAt = commit === undefined ? undefined : this.commits.get(commit)?.at
    changes.push({ clock: this.#nature.readClock(), commit, writtenAt })
    return `${key} ${commit === undefined ? 'is deleted' : `is at ${buildId(commit)}`}`
  }

  /** Forgets all commits that no branch or tag points at, and deletes their files. */
  collect(): void {
    this.#expire(0)
    this.write()
    const needed = new Set([...this.commits.keys()].map((commit) => String(buildId(commit))))
    for (const folder of folders)
      for (const file of readdirSync(join(this.directory, folder)))
        if (!needed.has(file)) rmSync(join(this.directory, folder, file))
  }

  /** Forgets the oldest commits that no branch or tag points at, if there are more than this many. */
  #expire(limit: number): void {
    const pointed = new Set([...this.branches.values(), ...this.tags.values()])
    for (const commit of this.commits.keys()) {
      if (this.commits.size <= limit) break
      if (!pointed.has(commit)) this.commits.delete(commit)
    }
    for (const commit of this.commits.values())
      if (commit.parent !== undefined && !this.commits.has(commit.parent)) commit.parent = undefined
  }

  /** Writes the list of its commits, all at once. */
  protected write(): void {
    const commits = [...this.commits]
    const indices = new Map(commits.map(([commit], index) => [commit, index]))
    const list = (refs: ReadonlyMap<string, number>) =>
      [...refs].map(([name, commit]) => [name, indices.get(commit) ?? 0] as const)
    const repo = buildRepo({
      snapshots: commits.map(([commit, { parent, at }]) => {
        const message = `commit ${commit}`
        return { id: buildId(commit), parent: indices.get(parent ?? -1) ?? -1, time: BigInt(at) * 1_000n, message }
      }),
      branches: list(this.branches),
      tags: list(this.tags),
      hasStatus: true,
    })
    writeFileSync(join(this.directory, 'repo.new'), repo)
    renameSync(join(this.directory, 'repo.new'), join(this.directory, 'repo'))
  }
}
