// What routes do that change what is expected of a repository: its expectations and its contracts.
import type { AuditEntry } from '@floe/storage/database'
import type { FastifyRequest } from 'fastify'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import { requireCaller } from '../../http/access/access-hook.ts'
import { parseIfMatch } from '../../http/representation/version-tag.ts'
import type { AdministrationContext } from '../administration-context.ts'
import { logAudit } from '../audit.ts'

/** Makes the steps that these routes share. */
export function makeRepositoryEdits({ notifier, auditLog, now }: AdministrationContext) {
  /** Tells all replicas that something was deleted. */
  const announceDeleted = (audit: AuditEntry): void => {
    logAudit(auditLog, audit)
    notifier.signal('selections')
  }
  return {
    /** Who makes a change, when, and of which versions. */
    readOptions: (request: FastifyRequest) => ({
      by: requireCaller(request),
      now: new Date(now()),
      versions: parseIfMatch(request.headers['if-match']),
    }),
    /** Tells all replicas of a change, and judges the repository now. `audit` is undefined if nothing changed. */
    announceChanged: async (entry: CatalogEntry, audit: AuditEntry | undefined): Promise<void> => {
      if (audit === undefined) return
      announceDeleted(audit)
      await notifier.watcher.checkSelection(entry)
    },
    announceDeleted,
  }
}
