// All migrations by name. They run in the order of their names.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from '../engine.ts'
import * as repositoriesAndApiKeys from './0001-repositories-and-api-keys.ts'
import * as notifications from './0002-notifications.ts'
import * as administration from './0003-administration.ts'
import * as auditOfOrganisation from './0004-audit-of-organisation.ts'
import * as receivers from './0005-receivers.ts'
import * as extraAttempts from './0006-extra-attempts.ts'
import * as sealedUrls from './0007-sealed-urls.ts'
import * as bootstrapKey from './0008-bootstrap-key.ts'
import * as commitsOfHeads from './0009-commits-of-heads.ts'
import * as replicas from './0010-replicas.ts'
import * as positionsOfEvents from './0011-positions-of-events.ts'
import * as indexesOfApiKeys from './0012-indexes-of-api-keys.ts'
import * as countsPerProcess from './0013-counts-per-process.ts'

const migrations = {
  '0001-repositories-and-api-keys': repositoriesAndApiKeys,
  '0002-notifications': notifications,
  '0003-administration': administration,
  '0004-audit-of-organisation': auditOfOrganisation,
  '0005-receivers': receivers,
  '0006-extra-attempts': extraAttempts,
  '0007-sealed-urls': sealedUrls,
  '0008-bootstrap-key': bootstrapKey,
  '0009-commits-of-heads': commitsOfHeads,
  '0010-replicas': replicas,
  '0011-positions-of-events': positionsOfEvents,
  '0012-indexes-of-api-keys': indexesOfApiKeys,
  '0013-counts-per-process': countsPerProcess,
}

/** Creates the migrations with the column types of one engine. */
export function createMigrations(types: ColumnTypes): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]) => [name, { up: (db: Kysely<unknown>) => up(db, types) }]),
  )
}
