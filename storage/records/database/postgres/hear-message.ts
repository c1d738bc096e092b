import { Socket } from 'node:net'
import pg from 'pg'

/** Time limit for the connection, for each answer and for the message, in milliseconds. */
const answerMs = 5_000

/**
 * Listens at a URL of PostgreSQL, has a message sent, and waits for it.
 *
 * @returns whether it has arrived in time
 */
export async function hearMessage(url: string, channel: string, send: () => Promise<void>): Promise<boolean> {
  const socket = new Socket()
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    stream: () => socket,
  })
  const heard = Promise.withResolvers<boolean>()
  client.on('error', () => heard.resolve(false))
  client.on('notification', () => heard.resolve(true))
  try {
    await client.connect()
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    await send()
    AbortSignal.timeout(answerMs).addEventListener('abort', () => heard.resolve(false))
    return await heard.promise
  } finally {
    socket.destroy()
  }
}
