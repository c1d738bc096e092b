import { type Database, ensureRepositories } from '@floe/storage/database'

/** Returns the stable id of one repository, a UUID. */
export async function rememberRepository(db: Database, org: string, name: string, now: Date): Promise<string> {
  const id = (await ensureRepositories(db, org, [name], now)).get(name)
  if (id === undefined) throw new TypeError(`the database forgot the repository ${org}/${name} at once`)
  return id
}
