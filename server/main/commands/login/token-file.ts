// The tokens that `floe login` keeps for commands and for the Python client, in a file that only its user may read.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Terminal } from '../terminal.ts'

const StoredToken = z.object({
  issuer: z.string(),
  client_id: z.string(),
  access_token: z.string(),
  /** Null if the issuer gave none: then the user signs in again when the token has expired. */
  refresh_token: z.string().nullable(),
  /** Null if the issuer did not say when. */
  expires_at: z.iso.datetime().nullable(),
})
export type StoredToken = z.output<typeof StoredToken>

/** Tokens by the address of the service, which ends in `/v1`. */
const TokenFile = z.record(z.string(), StoredToken)

/** The file of tokens cannot be read. */
export class TokenFileError extends Error {
  override name = 'TokenFileError'
}

/** Finds the file, in the folder for configuration that the XDG specification names. */
export function findTokenFile({ XDG_CONFIG_HOME: folder }: Terminal['environment']): string {
  return join(folder || join(homedir(), '.config'), 'floe', 'tokens.json')
}

/** Reads the token for a service; undefined without one. @throws {@link TokenFileError} */
export async function readToken(path: string, baseUrl: string): Promise<StoredToken | undefined> {
  return (await readTokens(path))[baseUrl]
}

/** Keeps a token for a service; without a token, forgets that of the service. @throws {@link TokenFileError} */
export async function keepToken(path: string, baseUrl: string, token?: StoredToken): Promise<void> {
  const { [baseUrl]: _, ...others } = await readTokens(path)
  const tokens = token === undefined ? others : { ...others, [baseUrl]: token }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // Other programs read the file at any moment, so it is replaced as a whole.
  const written = `${path}.${process.pid}`
  await writeFile(written, `${JSON.stringify(tokens, null, 2)}\n`, { mode: 0o600 })
  await rename(written, path)
}

async function readTokens(path: string): Promise<Readonly<Record<string, StoredToken>>> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw new TokenFileError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  try {
    return TokenFile.parse(JSON.parse(text))
  } catch {
    throw new TokenFileError(`${path} is damaged: delete it, and run floe login again`)
  }
}
