// Work that the service has not done yet.
import { type Database, readIndexLag } from '@floe/storage/database'
import { buildId } from '../../test/storage/repositories/icechunk/build-object.ts'
import type { ChangingRepository } from './changing-repository.ts'

/** A repository with the branches and tags that must be recorded. */
type ListedRepository = Pick<ChangingRepository, 'name' | 'branches' | 'tags'>

/** Lists what is not recorded or not delivered yet, in words; empty when all is done. */
export async function listUndone(db: Database, repositories: readonly ListedRepository[]): Promise<string[]> {
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
    .where('is_enabled', '=', 1)
    .execute()
  const unreadable = await db
    .selectFrom('repositories')
    .select('name')
    .where('unreadable_since', 'is not', null)
    .execute()
  const { pending } = await readIndexLag(db, [])
  return [
    ...(pending > 0 ? [`${pending} heads are not indexed`] : []),
    ...[...actual].filter((ref) => !recorded.has(ref)).map((ref) => `${ref} is not recorded`),
    ...[...recorded].filter((ref) => !actual.has(ref)).map((ref) => `${ref} is recorded`),
    ...(await listFresh(db)),
    ...unreadable.map(({ name }) => `${name} is not told to be readable again`),
    ...waiting.map(({ alias, delivery_number, attempts }) => `${alias} waits for ${delivery_number} (${attempts})`),
  ]
}

/** Lists the branches that are not told stale yet, although nobody commits any more. */
async function listFresh(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('expectation_findings')
    .innerJoin('repositories', 'repositories.id', 'repo_id')
    .select(['name', 'head_id', 'last_commit_at', 'counts_from'])
    .where('unmet_since', 'is', null)
    .execute()
  return rows.map(({ name, head_id, counts_from }) => {
    return `${name} is not told stale at ${head_id}, whose age counts from ${new Date(counts_from ?? 0).toISOString()}`
  })
}
