import pg from 'pg'

/** Creates a database for one run on the server of this URL. Returns its URL. */
export async function createPostgresDatabase(server: string): Promise<string> {
  const url = new URL(server)
  const name = `floe_${Date.now()}_${process.pid}`
  await administer(server, `create database ${name}`)
  url.pathname = `/${name}`
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
