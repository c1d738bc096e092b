// `floe serve`: reads the command line and runs the server.
import { parseArgs } from 'node:util'
import { runServer } from '../run-server.ts'
import { readServiceConfig, serviceOptions } from './arguments/read-service-config.ts'
import { showProgress } from './progress.ts'
import type { Terminal } from './terminal.ts'

/** `floe serve`; resolves when the server has stopped. */
export async function serve(args: string[], terminal: Terminal): Promise<void> {
  const { values: flags, positionals: locations } = parseArgs({ args, options: serviceOptions, allowPositionals: true })
  const readConfig = () => readServiceConfig({ flags, locations }, terminal)
  // From the beginning, because a signal that nobody listens for ends the process.
  const requests = terminal.listenForHangUps()
  const listening = Promise.withResolvers<string>()
  const run = async () => {
    const config = await readConfig().catch((error: unknown) => {
      if (!terminal.stop.aborted) throw error
    })
    if (config === undefined) return
    await runServer(config, { stop: terminal.stop, out: listening.resolve, reloads: { requests, readConfig } })
  }
  const running = run()
  const line = await showProgress(terminal, (show) => {
    show('starting: the database is opened and brought up to date')
    return Promise.race([listening.promise, running])
  })
  if (line !== undefined) terminal.out(line)
  await running
}
