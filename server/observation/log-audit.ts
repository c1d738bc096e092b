import type { AuditEntry } from '@floe/storage/database'
import type { FastifyBaseLogger } from 'fastify'

/** Logs a change. Call this after the change is committed. */
export function logAudit(log: Pick<FastifyBaseLogger, 'info'>, entry: AuditEntry): void {
  log.info({ audit: entry }, entry.action)
}
