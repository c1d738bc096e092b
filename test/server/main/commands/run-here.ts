import { runCommand } from '../../../../server/main/commands/run-command.ts'
import { captureTerminal } from './capture-terminal.ts'

/**
 * Runs a command in this process. Returns its exit code and what it printed.
 *
 * @param onOut called with each text for standard output
 */
export async function runHere(
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
  stop?: AbortSignal,
  onOut?: (text: string) => void,
) {
  const { terminal, printed } = captureTerminal(environment, stop, onOut)
  const code = await runCommand([...args], terminal)
  return { code, ...printed }
}
