import { type ChangeVerdict, changeVerdicts, type StateVerdict, stateVerdicts } from '@floe/contract/constants'
import type { Snapshot } from '@floe/storage/icechunk'
import { isJsonArray, isJsonObject, JsonNumber, type JsonValue } from '@floe/storage/json'
import { type Change, findWorst } from '../../compatibility/change.ts'
import { ListRoom } from '../list-room.ts'
import type { TreeNote } from './tree-notes.ts'

/** Maximum number of changes of each verdict that are listed, and of the characters of their values and paths. */
const maxListed = 10_000
const maxCharacters = 2_000_000

/**
 * How many bytes of documents are compared. Each document counts `bytesOfDocument` more, because small ones take time
 * too. Both take a few seconds.
 */
const maxComparedBytes = 256 * 1024 * 1024
const bytesOfDocument = 2_048

/** A group that differs. */
export type ComparedGroup = {
  readonly path: string
  readonly verdict: StateVerdict
  readonly changes: readonly Change[]
  readonly notes: readonly TreeNote[]
}

type VerdictCounts = Record<ChangeVerdict, number>

/** What the readers of two snapshots see differently. */
export type SnapshotsComparison = {
  readonly verdict: StateVerdict
  /** The worst first, then sorted by path. */
  readonly groups: readonly ComparedGroup[]
  readonly counts: {
    readonly datasets: Readonly<VerdictCounts>
    readonly changes: Readonly<VerdictCounts>
    readonly notes: number
    /** Groups that were not compared. */
    readonly notCompared: number
  }
  /** Whether changes or notes were left out of the list. */
  readonly isCut: boolean
}

/**
 * Collects changes, as many as an answer can hold, of as many groups as may be compared. Those of each verdict have
 * room of their own, so that many of one do not displace worse ones.
 */
export class KeptChanges {
  readonly #groups = new Map<string, ComparedGroup>()
  readonly #room = { breaking: makeRoom(), unknown: makeRoom(), compatible: makeRoom(), notes: makeRoom() }
  readonly #datasets = makeCounts()
  readonly #changes = makeCounts()
  #notes = 0
  #notCompared = 0
  #bytesLeft = maxComparedBytes

  /** Adds the changes of a group. */
  add(path: string, changes: readonly Change[]): void {
    const verdict = findWorst(changes.map((change) => change.verdict))
    if (verdict === 'identical') return
    this.#datasets[verdict]++
    for (const change of changes) this.#changes[change.verdict]++
    const listed = changes.filter((change) => this.#takeChange(path, change))
    if (listed.length > 0) this.#groups.set(path, { path, verdict, changes: listed, notes: [] })
  }

  /** Adds the notes of a group, after its changes. */
  addNotes(path: string, notes: readonly TreeNote[]): void {
    this.#notes += notes.length
    const listed = notes.filter(({ dimension, parent }) => this.#room.notes.take((path + dimension + parent).length))
    const group = this.#groups.get(path) ?? { path, verdict: 'identical', changes: [], notes: [] }
    if (listed.length > 0) this.#groups.set(path, { ...group, notes: listed })
  }

  /**
   * Whether the documents of a group may be read from these snapshots too. Otherwise counts it as not compared.
   */
  admits(path: string, ...snapshots: readonly Pick<Snapshot, 'nodes'>[]): boolean {
    for (const { nodes } of snapshots)
      for (const { document } of nodes.listChildren(path)) this.#bytesLeft -= document.byteLength + bytesOfDocument
    if (this.#bytesLeft >= 0) return true
    this.#notCompared++
    return false
  }

  finish(): SnapshotsComparison {
    const groups = [...this.#groups.values()]
    return {
      verdict: findWorst([
        ...changeVerdicts.filter((verdict) => this.#datasets[verdict] > 0),
        ...(this.#notCompared > 0 ? (['unknown'] as const) : []),
      ]),
      // Groups were added in the order of their paths, except those that have only notes.
      groups: stateVerdicts.flatMap((verdict) => groups.filter((group) => group.verdict === verdict)),
      counts: { datasets: this.#datasets, changes: this.#changes, notes: this.#notes, notCompared: this.#notCompared },
      isCut: Object.values(this.#room).some(({ isCut }) => isCut),
    }
  }

  /** Whether there is room for a change; takes it. */
  #takeChange(path: string, change: Change): boolean {
    const room = this.#room[change.verdict]
    return room.take(path.length + countCharacters(change, room.sizeLeft))
  }
}

function makeRoom(): ListRoom {
  return new ListRoom({ entries: maxListed, size: maxCharacters })
}

function makeCounts(): VerdictCounts {
  return { breaking: 0, unknown: 0, compatible: 0 }
}

/** Counts the characters of the texts of a change, until they are more than `max`. */
function countCharacters({ details }: Change, max: number): number {
  let characters = 0
  const count = (value: JsonValue): void => {
    if (characters > max) return
    if (typeof value === 'string') characters += value.length
    else if (value instanceof JsonNumber) characters += value.text.length
    else if (isJsonArray(value)) for (const item of value) count(item)
    else if (isJsonObject(value)) for (const [name, member] of value) [name, member].forEach(count)
    characters += 6
  }
  const {
    before = null,
    after = null,
    variable = '',
    attribute = '',
    dimension = '',
    reason = '',
    movedFrom = '',
    movedTo = '',
  } = details
  for (const value of [before, after, variable, attribute, dimension, reason, movedFrom, movedTo]) count(value)
  return characters
}
