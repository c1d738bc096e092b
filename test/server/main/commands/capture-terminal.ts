import { Writable } from 'node:stream'
import { writeTo, type Terminal } from '../../../../server/main/commands/terminal.ts'

/** What a command wrote to its standard streams. */
type Printed = { out: string; err: string }

/**
 * Makes a terminal that talks with no program and no person, and keeps what is written to its streams. Texts are
 * written as the program writes them, so `printed` is what a pipe would get.
 *
 * @param onOut called with each text for standard output
 */
export function captureTerminal(
  environment: Terminal['environment'] = {},
  stop: AbortSignal = new AbortController().signal,
  onOut: (text: string) => void = () => {},
): { readonly terminal: Terminal; readonly printed: Readonly<Printed> } {
  const printed: Printed = { out: '', err: '' }
  const keep = (stream: keyof Printed, onText: (text: string) => void) =>
    new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        printed[stream] += text
        onText(text)
        done()
      },
    })
  const terminal: Terminal = {
    environment,
    stop,
    isInteractive: false,
    ...writeTo(
      keep('out', onOut),
      keep('err', () => {}),
    ),
    listenForHangUps: async function* () {},
    openStreams: () => {
      throw new Error('this command opens no streams')
    },
  }
  return { terminal, printed }
}
