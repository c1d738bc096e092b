// The client of a command that calls a service.
import { type Client, createClient, FloeError } from '@floe/client'
import { commandVariables } from '../../configuration/command-variables.ts'
import { defaultService, type FlagValues, ServiceError, UsageError } from '../command.ts'
import { findLogin } from '../login/stored-login.ts'
import type { Terminal } from '../terminal.ts'

/**
 * Opens a client with the flags `--url`, `--org`, `--deployment` and `--key`. Without a key, it acts for the person who
 * has signed in to the service.
 */
export async function openClient(
  command: string,
  { url = defaultService, org, deployment, key }: FlagValues,
  environment: Terminal['environment'],
): Promise<Client> {
  if (org === undefined || deployment === undefined) throw new UsageError(`${command} needs --org and --deployment`)
  const apiKey = key ?? environment[commandVariables.apiKey]
  const auth = apiKey === undefined ? await findLogin(url, environment) : undefined
  try {
    return createClient({ baseUrl: url, org, deployment, apiKey, auth })
  } catch (error) {
    // The message begins with the name of the option, and only `baseUrl` differs from the name of the flag.
    throw error instanceof TypeError ? new UsageError(`--${error.message.replace(/^baseUrl/, 'url')}`) : error
  }
}

/** Throws what a call of the client has thrown, as a failure of the service if it is one. */
export function explainServiceFailure(error: unknown): never {
  throw error instanceof FloeError ? new ServiceError(error.message, { cause: error }) : error
}
