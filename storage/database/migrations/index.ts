// Every migration by name; the names' order is the order in which they run.
import type { Migration } from 'kysely/migration'
import * as repositoriesAndApiKeys from './0001-repositories-and-api-keys.ts'

export const migrations: Record<string, Migration> = { '0001-repositories-and-api-keys': repositoriesAndApiKeys }
