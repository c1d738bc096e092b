// `floe serve`: reads the configuration and runs the server.
import { runServer } from '../run-server.ts'
import type { CommandLine } from './command.ts'
import { readServiceConfig } from './access/read-service-config.ts'
import { showProgress, type Terminal } from './terminal.ts'

/** `floe serve`; resolves when the server has stopped. */
export async function serve(commandLine: CommandLine, terminal: Terminal): Promise<void> {
  const readConfig = () => readServiceConfig(commandLine, terminal)
  // Before anything else, because a signal without a listener ends the process.
  const requests = terminal.listenForHangUps()
  const listening = Promise.withResolvers<string>()
  const announced = Promise.withResolvers<void>()
  const run = async () => {
    const config = await readConfig().catch((error: unknown) => {
      if (!terminal.stop.aborted) throw error
    })
    if (config === undefined) return
    await runServer(config, {
      stop: terminal.stop,
      out: listening.resolve,
      isInteractive: terminal.isInteractive,
      warn: (line) => void announced.promise.then(() => terminal.out(line)),
      environment: terminal.environment,
      reloads: { requests, readConfig },
    })
  }
  const running = run()
  const line = await showProgress(terminal, (show) => {
    show('starting: opening and migrating the database')
    return Promise.race([listening.promise, running])
  })
  if (line !== undefined) terminal.out(line)
  announced.resolve()
  await running
}
