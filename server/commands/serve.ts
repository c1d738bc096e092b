// `floe serve`: reads the command line and runs the server.
import { parseArgs } from 'node:util'
import { runServer } from '../run-server.ts'
import { readServiceConfig, serviceOptions } from './arguments/read-service-config.ts'
import type { Terminal } from './terminal.ts'

/** `floe serve`; resolves when the server has stopped. */
export async function serve(args: string[], terminal: Terminal): Promise<void> {
  const { values: flags, positionals: locations } = parseArgs({ args, options: serviceOptions, allowPositionals: true })
  const readConfig = () => readServiceConfig({ flags, locations }, terminal)
  // From the beginning, because a signal that nobody listens for ends the process.
  const requests = terminal.listenForHangUps()
  await runServer(await readConfig(), { ...terminal, reloads: { requests, readConfig } })
}
