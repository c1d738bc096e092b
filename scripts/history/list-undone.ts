// Work that the service has not done yet.
import { type Database, readIndexLag } from '@floe/storage/database'
import { buildId } from '../../test/storage/repositories/icechunk/build-object.ts'
import type { ChangingRepository } from './changing-repository.ts'

/** A repository with the branches and tags that must be recorded. */
type ListedRepository = Pick<ChangingRepository, 'name' | 'branches' | 'tags'>

/**
 * Lists what is not recorded or not delivered yet, in words; empty when all is done.
 *
 * @param indexed patterns of the branches that are indexed besides `main`
 */
export async function listUndone(
  db: Database,
  repositories: readonly ListedRepository[],
  indexed: readonly string[],
): Promise<string[]> {
  const heads = await db
    .selectFrom('heads')
    .innerJoin('repositories', 'repositories.id', 'repo_id')
    .select(['name', 'branch as ref', 'snapshot_id'])
    .execute()
  const tags = await db
    .selectFrom('tags')
    .innerJoin('repositories', 'repositories.id', 'repo_id')
    .select(['name', 'tag as ref', 'snapshot_id'])
    .execute()
  const write = (kind: string) => (row: { name: string; ref: string; snapshot_id: string }) =>
    `${row.name} ${kind} ${row.ref} at ${row.snapshot_id}`
  const recorded = new Set([...heads.map(write('branch')), ...tags.map(write('tag'))])
  const actual = new Set(
    repositories.flatMap(({ name, branches, tags }) => [
      ...[...branches].map(([ref, commit]) => write('branch')({ name, ref, snapshot_id: buildId(commit) })),
      ...[...tags].map(([ref, commit]) => write('tag')({ name, ref, snapshot_id: buildId(commit) })),
    ]),
  )
  const waiting = await db
    .selectFrom('undelivered')
    .innerJoin('receivers', 'receivers.id', 'receiver_id')
    .select(['alias', 'delivery_number', 'attempts'])
    .where('queue_position', 'is not', null)
    .where('awaits_digest', '=', 0)
    .where('is_enabled', '=', 1)
    .execute()
  const unreadable = await db
    .selectFrom('repositories')
    .select('name')
    .where('unreadable_since', 'is not', null)
    .execute()
  const { pending } = await readIndexLag(db, indexed)
  return [
    ...(pending > 0 ? [`${pending} heads are not indexed`] : []),
    ...[...actual].filter((ref) => !recorded.has(ref)).map((ref) => `${ref} is not recorded`),
    ...[...recorded].filter((ref) => !actual.has(ref)).map((ref) => `${ref} is recorded`),
    ...(await listUnjudged(db)),
    ...unreadable.map(({ name }) => `${name} is not told to be readable again`),
    ...waiting.map(({ alias, delivery_number, attempts }) => `${alias} waits for ${delivery_number} (${attempts})`),
  ]
}

/** Lists the branches that are not judged at their head, or whose grace runs, or whose last commit will be too old. */
async function listUnjudged(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('expectation_states as states')
    .innerJoin('repositories', 'repositories.id', 'states.repo_id')
    .innerJoin('expectations', 'expectations.id', 'expectation_id')
    .leftJoin('heads', (join) =>
      join.onRef('heads.repo_id', '=', 'states.repo_id').onRef('heads.branch', '=', 'states.branch'),
    )
    .select(['repositories.name', 'kind', 'alias', 'states.branch', 'head_id', 'snapshot_id', 'due_at'])
    .where((eb) =>
      eb.or([eb('due_at', 'is not', null), eb('head_id', '!=', eb.fn.coalesce('snapshot_id', eb.val('')))]),
    )
    .execute()
  return rows.map(({ name, kind, alias, branch, head_id, snapshot_id, due_at }) => {
    const due = due_at === null ? '' : `, and is due at ${new Date(due_at).toISOString()}`
    return `${name} ${branch} is judged by ${kind} ${alias} at ${head_id}, not ${snapshot_id}${due}`
  })
}
