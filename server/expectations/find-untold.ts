// Finds expectations whose events nobody gets.
import { expectationKinds } from '@floe/contract'
import {
  type Database,
  type Expectation,
  isTold,
  listAllExpectations,
  type Listener,
  listListeners,
  type ToldExpectation,
} from '@floe/storage/database'

/** What a log, a check and a page say of an expectation whose events no webhook and no chat gets. */
export const nobodyIsTold = 'nobody is told: no webhook or chat selects these events'

/** An expectation by the names of its repositories, or by their patterns. */
export type NamedExpectation = ToldExpectation & Pick<Expectation, 'alias'>

/** Names the expectations whose events no receiver selects. */
export function nameUntold(expected: readonly NamedExpectation[], listeners: readonly Listener[] | null): string[] {
  return expected.filter((one) => !isTold(one, listeners)).map(nameExpectation)
}

/** Names the expectations in a database whose events no receiver selects. */
export async function findUntold(db: Database): Promise<string[]> {
  const [expected, listeners] = [await listNamedExpectations(db), await listListeners(db)]
  return nameUntold(expected, listeners)
}

/** Lists the expectations of all organisations, with or without those that the configuration file declares. */
export async function listNamedExpectations(db: Database, isDeclaredToo = true): Promise<NamedExpectation[]> {
  const all = await listAllExpectations(db)
  return all
    .filter(({ expectation }) => isDeclaredToo || !expectation.isDeclared)
    .map(({ expectation, repo }) => ({ ...expectation, repos: repo === null ? (expectation.repos ?? []) : [repo] }))
}

/** Names an expectation: `acme/weather branch main: freshness tiles`. */
export function nameExpectation({ org, repos, branch, kind, alias }: NamedExpectation): string {
  const title = expectationKinds[kind].title.toLowerCase()
  return `${org}/${repos.join(', ')} branch ${branch}: ${title}${alias === null ? '' : ` ${alias}`}`
}
