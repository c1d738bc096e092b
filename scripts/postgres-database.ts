import pg from 'pg'

/**
 * The time at which faster clocks are right, in milliseconds since 1970. Long ago, so that no clock goes back after a
 * restart.
 */
export const clockEpoch = Date.UTC(2020)

/**
 * Creates a database for one run on the server of this URL, with a clock that runs `speed` times as fast. Returns its
 * URL.
 */
export async function createPostgresDatabase(server: string, speed: number): Promise<string> {
  const url = new URL(server)
  const name = `floe_${Date.now()}_${process.pid}`
  await administer(server, `create database ${name}`)
  url.pathname = `/${name}`
  if (speed !== 1) {
    const epoch = `timestamptz '${new Date(clockEpoch).toISOString()}'`
    await administer(
      url.href,
      `create function public.clock_timestamp() returns timestamptz language sql volatile
       as $$ select ${epoch} + (pg_catalog.clock_timestamp() - ${epoch}) * ${speed} $$`,
    )
    // The function above precedes PostgreSQL's own.
    await administer(server, `alter database ${name} set search_path = public, pg_catalog`)
  }
  return url.href
}

/** Drops a database that {@link createPostgresDatabase} created, even while clients are connected. */
export async function dropPostgresDatabase(server: string, url: string): Promise<void> {
  await administer(server, `drop database ${new URL(url).pathname.slice(1)} with (force)`)
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 2_000 })
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end()
  }
}
