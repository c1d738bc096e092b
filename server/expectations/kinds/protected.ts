import { parseSnapshotId, readAuthorId, type RepositoryState, type SnapshotId } from '@floe/storage/icechunk'
import { matchesSome } from '@floe/storage/globs'
import type { Judgement } from '@floe/storage/database'
import { makeStorable } from '@floe/storage/storable-text'
import { Slices } from '@floe/storage/waiting'
import { RequestProblem } from '../../problems/request-problem.ts'
import { ListRoom } from '../../reading/list-room.ts'
import { listFirst } from '../../text/list-first.ts'
import { shorten } from '../../text/shorten.ts'
import { judgeMissing } from '../ask-about-head.ts'
import { type BranchToJudge, type FactsOf, type Kind, nameHead, type Reading, type Told } from '../kind.ts'

type Facts = FactsOf<'protected'>

/** Maximum number of commits since the last good head that are examined. */
const maxCommits = 10_000

/** Maximum number of tags that are remembered, as the contract says, and how many bytes their names may have. */
const maxTags = 1_000
const maxTagBytes = 32_768

/** Maximum number of violations that are listed, as the contract says. */
const maxViolations = 10

/** Longest names of authors and tags in words, in code points. */
const maxNameLength = 100

const noFacts: Facts = { last_good_snapshot_id: null, checked_at: null, violations: [], tags: null }

/** A branch is only moved forward. Begins with the head that is there when the expectation is added or changed. */
export const protection: Kind<'protected'> = {
  asks: 'now',
  judge: (toJudge) => {
    const { expectation, head, state, settings, checkedAt } = toJudge
    const known = state?.version === expectation.version ? state.facts : null
    if (head === null && known === null) return state?.facts ? { verdict: 'gone' } : judgeMissing(toJudge)
    const before = known ?? noFacts
    if (head === null) return conclude(before, ['was deleted'])
    const headId = parseSnapshotId(head.snapshotId)
    if (headId === undefined) throw new Error(`the recorded head is not a snapshot id: ${head.snapshotId}`)
    const good: Facts =
      before.last_good_snapshot_id === headId
        ? before
        : { ...before, last_good_snapshot_id: headId, checked_at: checkedAt.toISOString() }
    if (settings.tags === null && (good === before || known === null)) return conclude({ ...good, tags: null }, [])
    return async (reading) => {
      const repository = await reading.entry.repository.readState(reading.signal)
      const moved = good === before ? [] : await findBreaks(reading, repository, { headId, before, settings })
      const tags = settings.tags === null ? null : await readTags(reading, repository, settings.tags)
      const seen = tags && rememberTags([...(before.tags ?? []), ...tags])
      const lost = (seen ?? []).filter((tag) => !tags?.has(tag)).map((tag) => `lost its tag ${cut(tag)}`)
      return conclude({ ...(moved.length === 0 ? good : before), tags: seen }, [...moved, ...lost])
    }
  },
  words: {
    unmet: (told) => ['BREAKS its protection', told.facts.violations.join('; ') + nameLatest(told)],
    met: (told) => ['PROTECTED', `leads to ${told.facts.last_good_snapshot_id}${nameLatest(told)}`],
    state: ({ facts }, state) =>
      state === 'unmet' ? facts.violations.join('; ') : 'was not reset, rewritten or deleted',
  },
}

/** The author of the head need not be the person who moved the branch. */
function nameLatest(told: Told<'protected'>): string {
  const latest = nameHead(told)
  return latest === '' ? '' : `; its head was committed${latest.replace(/^,/, '')}`
}

function conclude(facts: Facts, violations: readonly string[]): Judgement {
  const found = { ...facts, violations: [...listFirst(violations, maxViolations - 1)] }
  return { verdict: violations.length === 0 ? 'met' : 'unmet', facts: found }
}

type Move = { readonly headId: SnapshotId; readonly before: Facts } & Pick<BranchToJudge<'protected'>, 'settings'>

/** Finds what a move from the last good head breaks. */
async function findBreaks(
  { signal }: Reading,
  repository: RepositoryState,
  { headId, before, settings: { authors } }: Move,
): Promise<readonly string[]> {
  const last = parseSnapshotId(before.last_good_snapshot_id ?? '')
  if (last === undefined) return []
  const options = { limit: maxCommits, until: last, signal }
  const { commits, untilFound, next, missing } = await repository.readHistory(headId, options)
  const isCut = untilFound === null || missing !== null || (authors !== null && next !== null)
  if (isCut) throw new RequestProblem('range-too-long', `Too many commits, or expired ones, came after ${last}`)
  if (!untilFound) {
    // One that has expired can be a good ancestor: then this throws.
    await repository.readCommit(last, signal)
    return [`was reset: it no longer leads to ${last}`]
  }
  if (authors === null) return []
  const slices = new Slices(signal)
  const breaks: string[] = []
  for (const { id, metadata } of commits) {
    if (slices.isOver) await slices.next()
    const author = readAuthorId(metadata)
    if (!matchesSome(authors, author)) breaks.push(`has a commit by ${cut(author)}: ${id}`)
  }
  return breaks
}

async function readTags(
  { entry, signal }: Reading,
  state: RepositoryState,
  glob: string,
): Promise<ReadonlySet<string>> {
  const { tags } = await (state.formatVersion === 2 ? state.readRefs(signal) : entry.repository.readRefs(signal))
  return new Set([...tags.keys()].map(makeStorable).filter((tag) => matchesSome([glob], tag)))
}

/** The tags that were seen first, if not all fit. An event has them too. */
function rememberTags(tags: readonly string[]): string[] {
  const room = new ListRoom({ entries: maxTags, size: maxTagBytes })
  return [...new Set(tags)].filter((tag) => room.take(Buffer.byteLength(JSON.stringify(tag)))).sort()
}

function cut(name: string): string {
  return shorten(name, maxNameLength)
}
