import { runCommand } from '../../../../server/main/commands/run-command.ts'
import { noStreams } from './no-streams.ts'

/**
 * Runs a command in this process. Returns its exit code and what it printed.
 *
 * @param onOut called with each text for standard output
 */
export async function runHere(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  stop: AbortSignal = new AbortController().signal,
  onOut: (text: string) => void = () => {},
) {
  const printed = { out: '', err: '' }
  const code = await runCommand([...args], {
    environment,
    stop,
    out: (text) => {
      printed.out += text
      onOut(text)
    },
    err: (text) => void (printed.err += text),
    ...noStreams,
  })
  return { code, ...printed }
}
