// Repositories whose branches and tags change at random, one after the other.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildLog } from '../../test/storage/repositories/icechunk/build-log.ts'
import { buildId, buildSnapshot } from '../../test/storage/repositories/icechunk/build-object.ts'
import type { Random } from '../fuzz/mutations.ts'
import { writeRepo } from '../write-head.ts'
import type { MainMove } from './freshness.ts'
import { writeSeen } from './recorded.ts'
import { buildNodes, listUpdated, writesC } from './verdicts.ts'

const branchNames = ['dev', 'dev/fix', 'release-1', 'release-2']
/** The most commits that a branch or tag is behind the others. */
const maxBehind = 25
/**
 * The number of commits in a repository. More than are made while no service runs: otherwise the earlier head of a move
 * could disappear between two questions about the move, and only the later one would have no answer.
 */
const listedCommits = 200
/** Numbers of commits that each repository has for itself. */
const commitsOfRepository = 15_000
/** Longest pause between two changes, in milliseconds. */
const maxPauseMs = 400
/** The last repository changes for this long, and rests for as long, in milliseconds. */
const restMs = 22_000

/** Writes version 2 repositories and changes them until it is stopped. */
export class MovingRefs {
  count = 0
  readonly #repositories: readonly ChangingRepository[]
  readonly #random: Random
  #isStopping = false
  readonly #moving: Promise<void>

  /**
   * @param directories of the repositories, with the folders `snapshots` and `transactions`
   * @param now the clock of the services, in milliseconds since 1970
   */
  constructor(directories: readonly string[], random: Random, now: () => number) {
    this.#random = random
    this.#repositories = directories.map(
      (directory, index) => new ChangingRepository(directory, index * commitsOfRepository, { random, now }),
    )
    this.#moving = this.#move()
  }

  /** The branches and tags of all repositories, as `waitUntilDone` expects them. */
  get refs(): string[] {
    return this.#repositories.flatMap(({ refs }) => refs)
  }

  /** The moves of `main` of each repository, oldest first, in the order of the directories. */
  get mainMoves(): (readonly MainMove[])[] {
    return this.#repositories.map(({ mainMoves }) => mainMoves)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#moving
  }

  async #move(): Promise<void> {
    while (!this.#isStopping) {
      const index = this.count++ % this.#repositories.length
      const isResting = index === this.#repositories.length - 1 && Math.floor(performance.now() / restMs) % 2 === 1
      if (!isResting) await this.#repositories[index]?.change()
      await pause(this.#random(maxPauseMs))
    }
  }
}

/** A repository with one history of commits, to which branches and tags point. */
class ChangingRepository {
  readonly #directory: string
  readonly #first: number
  readonly #random: Random
  readonly #now: () => number
  readonly mainMoves: MainMove[] = []
  /** When the commits were written, by their numbers. */
  readonly #times = new Map<number, number>()
  /** When the last commit that changed `c` was written. */
  #pathAt = 0
  readonly #branches: Map<string, number>
  readonly #tags = new Map<string, number>()
  #last: number
  #tagCount = 0

  constructor(
    directory: string,
    first: number,
    { random, now }: { readonly random: Random; readonly now: () => number },
  ) {
    this.#directory = directory
    this.#first = first
    this.#random = random
    this.#now = now
    this.#times.set(first, Math.floor(now()))
    this.#last = first
    this.#branches = new Map([['main', first]])
  }

  get refs(): string[] {
    const list = (refs: ReadonlyMap<string, number>, kind: 'branch' | 'tag') =>
      [...refs].map(([name, commit]) => writeSeen(kind, name, buildId(commit)))
    return [...list(this.#branches, 'branch'), ...list(this.#tags, 'tag')]
  }

  /** Changes one branch or tag, and writes the repository. */
  async change(): Promise<void> {
    if (this.#last === this.#first) await this.#commit('main')
    else await this.#changeRefs()
    const commits = [...this.#listCommits()]
    const index = ([name, commit]: readonly [string, number]) => [name, commits.indexOf(commit)] as const
    await writeRepo(this.#directory, {
      snapshots: commits.map((commit, index) => {
        return { id: buildId(commit), parent: index - 1, time: BigInt(this.#times.get(commit) ?? 0) * 1_000n }
      }),
      branches: [...this.#branches].map(index),
      tags: [...this.#tags].map(index),
    })
  }

  async #changeRefs(): Promise<void> {
    const [lateTag] = this.#findLate(this.#tags)
    const [lateBranch] = this.#findLate(this.#branches)
    if (lateTag !== undefined) this.#tags.delete(lateTag)
    else if (lateBranch !== undefined) await this.#commit(lateBranch)
    else await this.#changeRandomRef()
  }

  async #changeRandomRef(): Promise<void> {
    const branch = this.#choose([...this.#branches.keys()])
    const at = this.#branches.get(branch) ?? this.#last
    const other = this.#choose(branchNames)
    const tag = this.#choose([...this.#tags.keys(), ''])
    switch (this.#random(8)) {
      case 0:
        if (!this.#branches.delete(other)) this.#branches.set(other, at)
        break
      case 1:
        if (!this.#branches.delete(other)) await this.#commit(other)
        break
      case 2:
        if (!this.#tags.delete(tag)) this.#tags.set(`v${++this.#tagCount}`, at)
        break
      default:
        await this.#commit(branch)
    }
  }

  /** Makes a commit the head of a branch, which may be new. */
  async #commit(branch: string): Promise<void> {
    const commit = ++this.#last
    this.#branches.set(branch, commit)
    const at = Math.floor(this.#now())
    this.#times.set(commit, at)
    if (writesC(commit)) this.#pathAt = at
    if (branch === 'main') this.mainMoves.push({ at, pathAt: this.#pathAt })
    const id = buildId(commit)
    const nodes = buildNodes(commit)
    const log = buildLog({ id, ...listUpdated(commit) })
    await writeFile(join(this.#directory, 'snapshots', id), buildSnapshot({ id, parent: buildId(commit - 1), nodes }))
    await writeFile(join(this.#directory, 'transactions', id), log)
  }

  *#listCommits(): Generator<number> {
    for (let commit = Math.max(this.#first, this.#last - listedCommits); commit <= this.#last; commit++) yield commit
  }

  #findLate(refs: ReadonlyMap<string, number>): string[] {
    return [...refs].flatMap(([name, commit]) => (commit < this.#last - maxBehind ? [name] : []))
  }

  #choose(names: readonly string[]): string {
    return names[this.#random(names.length)] ?? ''
  }
}
