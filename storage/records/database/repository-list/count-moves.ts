// How often `main` of a repository moved on each of the last days. A day takes the row of the day four weeks before it,
// so a repository has at most 28 rows, and nothing needs to delete them.
import { sql } from 'kysely'
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'

/** Number of days whose moves are kept: four weeks. */
const countedDays = 28

const dayMs = 86_400_000

/** Counts a move of `main`. Call it in the transaction that records the move. */
export async function countMove(tx: Database, repoId: string, now: Date): Promise<void> {
  const day = findDay(now)
  await tx
    .insertInto('head_moves')
    .values({ repo_id: repoId, place: day % countedDays, day, moves: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['repo_id', 'place'])
        .doUpdateSet({ day, moves: sql`case when head_moves.day = excluded.day then head_moves.moves + 1 else 1 end` }),
    )
    .execute()
}

/**
 * Lists how often `main` of these repositories moved on each of the last {@link countedDays} days in UTC, today last,
 * by name.
 */
export async function listMoves(
  db: Database,
  org: string,
  names: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const first = findDay(now) - countedDays + 1
  const rows = await db
    .selectFrom('repositories')
    .innerJoin('head_moves', 'repo_id', 'repositories.id')
    .select(['name', 'day', 'moves'])
    .where('org', '=', org)
    .where(isOneOf(db, 'name', names))
    .where('day', '>=', first)
    // Later days are of a clock that was ahead.
    .where('day', '<', first + countedDays)
    .execute()
  const moves = new Map(names.map((name) => [name, Array.from({ length: countedDays }, () => 0)]))
  for (const { name, day, moves: count } of rows) moves.get(name)?.splice(day - first, 1, count)
  return moves
}

function findDay(time: Date): number {
  return Math.floor(time.getTime() / dayMs)
}
