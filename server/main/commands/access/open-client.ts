// The client of a command that calls a service.
import { type Client, createClient } from '@floe/client'
import { commandVariables } from '../../configuration/command-variables.ts'
import { type FlagValues, UsageError } from '../command.ts'
import type { Terminal } from '../terminal.ts'

/** Opens a client with the flags `--url`, `--org`, `--deployment` and `--key`. */
export function openClient(
  command: string,
  { url, org, deployment, key }: FlagValues,
  environment: Terminal['environment'],
): Client {
  if (org === undefined || deployment === undefined) throw new UsageError(`${command} needs --org and --deployment`)
  const apiKey = key ?? environment[commandVariables.apiKey]
  try {
    return createClient({ baseUrl: url ?? 'http://127.0.0.1:8080/v1', org, deployment, apiKey })
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error
  }
}
