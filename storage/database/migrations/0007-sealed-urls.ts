import { type Kysely, sql } from 'kysely'

/** Marks the URLs of webhooks as secrets, and masks those in the audit. */
export async function sealUrls(db: Kysely<unknown>): Promise<void> {
  // `plain:` marks secrets that the next start seals. URLs of chats are already sealed or marked.
  await sql`update receivers set url = 'plain:' || url where kind = 'webhook'`.execute(db)
  await maskAuditedUrls(db)
}

type AuditRow = { readonly id: string; readonly before: string | null; readonly after: string | null }

async function maskAuditedUrls(db: Kysely<unknown>): Promise<void> {
  const batchRows = 500
  for (let last = ''; ;) {
    const { rows } = await sql<AuditRow>`
      select id, before, after from audit where action like 'webhook.%' and id > ${last} order by id limit ${batchRows}
    `.execute(db)
    for (const { id, before, after } of rows) {
      await sql`update audit set before = ${maskUrlIn(before)}, after = ${maskUrlIn(after)} where id = ${id}`.execute(
        db,
      )
    }
    if (rows.length < batchRows) return
    last = rows.at(-1)?.id ?? last
  }
}

/** @param text a JSON object */
function maskUrlIn(text: string | null): string | null {
  const record: unknown = text === null ? null : JSON.parse(text)
  if (typeof record !== 'object' || record === null || !('url' in record) || typeof record.url !== 'string') return text
  return JSON.stringify({ ...record, url: `${new URL(record.url).origin}/...` })
}
