// Finds the last good head of a branch, which `main@good` names.
import { findAmongHeads, type JudgedHead, type JudgedHeads } from '@floe/storage/database'
import { NotATimeError, RefNotFoundError, type Repository, type SnapshotId } from '@floe/storage/icechunk'
import type { ResolvedAddress } from '../../catalog/cached-refs.ts'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import { makeReadingSignal } from '../../catalog/reading-signals.ts'
import { findServedEntry, type ServedNames } from '../../catalog/served-catalog.ts'
import { nameLack } from '../../events/name-lack.ts'
import { listFirst } from '../../text/list-first.ts'
import type { MetadataContext } from '../metadata-context.ts'

/** What follows the name of a branch. */
const suffix = '@good'

/** Maximum number of good heads whose snapshots are looked for. In version 1, each costs a read. */
const maxTried = 100

/** Maximum number of lacks that a problem names. */
const maxNamed = 3

/** No head of the branch is good, or the snapshots of all good ones are gone. */
export class NoGoodHeadError extends RefNotFoundError {
  override name = 'NoGoodHeadError'
  readonly branch: string

  constructor(repository: string, branch: string, reason: string) {
    super(repository, `${branch}${suffix}`, `no good head of ${JSON.stringify(branch)}: ${reason}`)
    this.branch = branch
  }
}

/** A branch with its newest good head that still exists. */
export type GoodBranch = JudgedHeads & {
  /** Null if there is none. */
  readonly lastGood: { readonly snapshotId: SnapshotId; readonly behind: number } | null
}

/** Makes the function that resolves `main@good`, when the repository has no ref of this name. */
export function makeResolveGood(
  context: Pick<MetadataContext, 'catalogs' | 'db' | 'timing'>,
  names: ServedNames & { readonly ref: string },
): (unknown: unknown) => Promise<ResolvedAddress> {
  return async (unknown) => {
    // What stands before the "@" is a ref.
    if (!(unknown instanceof NotATimeError) || !names.ref.endsWith(suffix)) throw unknown
    const branch = names.ref.slice(0, -suffix.length)
    const found = await findLastGood(context, await findServedEntry(context, names), branch)
    if (found.lastGood === null) throw new NoGoodHeadError(unknown.repository, branch, explainNone(found))
    return { kind: 'branch', name: branch, ...found.lastGood }
  }
}

/** Judges heads of a branch, from the newest to one that is good and still exists, or further. */
export async function findLastGood(
  { db, timing }: Pick<MetadataContext, 'db' | 'timing'>,
  entry: CatalogEntry,
  branch: string,
): Promise<GoodBranch> {
  const find = (judged: JudgedHeads) => findExisting(entry.repository, judged)
  const { judged, found } = await findAmongHeads(db, entry, branch, { find, now: new Date(timing.now()) })
  return { ...judged, lastGood: found }
}

/** Finds the newest good head whose snapshot has neither expired nor been deleted. */
async function findExisting(repository: Repository, { heads }: JudgedHeads): Promise<GoodBranch['lastGood']> {
  const good = [...heads.entries()].filter(([, { state }]) => state === 'good').slice(0, maxTried)
  if (good.length === 0) return null
  // One limit for all of them.
  const signal = makeReadingSignal()
  const state = await repository.readState(signal)
  for (const [behind, { snapshotId: id }] of good) {
    try {
      const { kind, snapshotId } = await state.resolve(id, signal)
      if (kind === 'snapshot') return { snapshotId, behind }
    } catch (error) {
      if (!(error instanceof RefNotFoundError)) throw error
    }
  }
  return null
}

function explainNone({ requirements, heads }: JudgedHeads): string {
  const [head] = heads
  if (requirements === null) return 'nothing is expected of good heads; an administrator can add it, of the kind "good"'
  if (head === undefined) return 'Floe has seen no head of the branch since the expectation was added'
  if (heads.some(({ state }) => state === 'good')) return 'the snapshots of the good heads no longer exist'
  return `the newest is not: ${nameLacks(head)}`
}

/** Says what a head lacks to be good, in one line. */
export function nameLacks({ lacks }: Pick<JudgedHead, 'lacks'>): string {
  return listFirst(lacks.map(nameLack), maxNamed).join('; ')
}
