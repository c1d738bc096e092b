// Repositories that grow, and the truth about them: when which branch and tag pointed where.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildLog } from '../../../test/storage/repositories/icechunk/build-log.ts'
import { buildId, buildRepo, buildSnapshot } from '../../../test/storage/repositories/icechunk/build-object.ts'
import { buildNodes, listUpdated } from '../../crash/verdicts.ts'
import { machine } from '../machine/machine.ts'
import { reportChange } from '../machine/patch-files.ts'

/** Numbers of commits that each repository has for itself; `buildId` has 65,536. */
const commitsOfRepository = 2_000

/** Commits that no ref needs are listed for as long as there are at most this many. */
const maxListed = 60

const branchNames = ['dev', 'dev/fix', 'release-1', 'release-2']

type SimulatedCommit = { readonly parent: number | undefined; readonly at: number }

/** Where a branch or tag pointed from a time of the clock on. */
export type RefChange = {
  readonly clock: number
  /** Undefined while it does not exist. */
  readonly commit: number | undefined
  /** When the commit was written, by the clock. */
  readonly writtenAt: number | undefined
}

/** One repository. */
export class SimulatedRepository {
  readonly name: string
  /** Whether the service learns of changes only when it polls. */
  readonly isPolled: boolean
  readonly #directory: string
  readonly #first: number
  #last: number
  readonly commits = new Map<number, SimulatedCommit>()
  readonly branches = new Map<string, number>()
  readonly tags = new Map<string, number>()
  /** By kind and name, such as `branch main`. */
  readonly changes = new Map<string, RefChange[]>()
  /** When its file could not be read. */
  readonly damages: { readonly since: number; until: number }[] = []
  #tagCount = 0

  constructor(name: string, parent: string, index: number, { isPolled = false } = {}) {
    this.name = name
    this.isPolled = isPolled
    this.#directory = join(parent, name)
    this.#first = 1 + index * commitsOfRepository
    this.#last = this.#first - 1
    for (const folder of ['snapshots', 'transactions']) mkdirSync(join(this.#directory, folder), { recursive: true })
    this.#commit('main', undefined)
    this.#write()
  }

  /** Changes something, and writes it. Returns what, in words; undefined when the repository is full or damaged. */
  change(): string | undefined {
    if (this.#isDamaged) return undefined
    if (this.#last + 2 >= this.#first + commitsOfRepository) return undefined
    const { random } = machine
    const branch = random.choose([...this.branches.keys()])
    const head = this.branches.get(branch) ?? this.#last
    const what = this.#changeRef(random.below(20), branch, head)
    this.#expire()
    this.#write()
    machine.say(machine.world, `${this.name} changes`, what)
    return what
  }

  get #isDamaged(): boolean {
    return this.damages.at(-1)?.until === Infinity
  }

  /** Damages the file that lists the commits. */
  damage(how: 'missing' | 'cut'): void {
    if (this.#isDamaged) return
    this.damages.push({ since: machine.now, until: Infinity })
    machine.say(machine.world, `${this.name} is damaged`, how)
    const file = join(this.#directory, 'repo')
    if (how === 'missing') rmSync(file)
    else writeFileSync(file, readFileSync(file).subarray(0, -9))
  }

  /** Repairs the damage, if there is some. */
  mend(): void {
    const damage = this.damages.at(-1)
    if (damage === undefined || !this.#isDamaged) return
    damage.until = machine.now
    machine.say(machine.world, `${this.name} is mended`)
    this.#write()
  }

  #changeRef(choice: number, branch: string, head: number): string {
    const { random } = machine
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
    this.commits.set(commit, { parent, at: machine.clock })
    const id = buildId(commit)
    // A commit changes what all numbers since its parent would have changed.
    const since = Array.from({ length: Math.min(12, commit - (parent ?? commit - 1)) }, (_, back) => commit - back)
    const updated = since.map(listUpdated)
    const log = {
      updatedGroups: [...new Set(updated.flatMap(({ updatedGroups }) => updatedGroups))].sort((a, b) => a - b),
      updatedArrays: [...new Set(updated.flatMap(({ updatedArrays }) => updatedArrays))].sort((a, b) => a - b),
    }
    const before = parent === undefined ? {} : { parent: buildId(parent) }
    writeFileSync(join(this.#directory, 'snapshots', id), buildSnapshot({ id, ...before, nodes: buildNodes(commit) }))
    writeFileSync(join(this.#directory, 'transactions', id), buildLog({ id, ...log }))
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
    changes.push({ clock: machine.clock, commit, writtenAt })
    return `${key} ${commit === undefined ? 'is deleted' : `is at ${buildId(commit)}`}`
  }

  /** Forgets the oldest commits that no branch or tag points at. */
  #expire(): void {
    const pointed = new Set([...this.branches.values(), ...this.tags.values()])
    for (const commit of this.commits.keys()) {
      if (this.commits.size <= maxListed) return
      if (!pointed.has(commit)) this.commits.delete(commit)
    }
  }

  #write(): void {
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
    })
    writeFileSync(join(this.#directory, 'repo.new'), repo)
    renameSync(join(this.#directory, 'repo.new'), join(this.#directory, 'repo'))
    reportChange(this.#directory, 'repo', () => changeSignals.delay())
  }
}

/** How long the system takes to report a change, in milliseconds; undefined if it loses the report. */
export const changeSignals = { delay: (): number | undefined => machine.random.between(0.1, 5) }
