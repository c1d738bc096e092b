import { systemTiming, type Timing } from '../../timing.ts'
import type { Terminal } from './terminal.ts'

/** A command that takes less than this says nothing, in milliseconds. */
const quietMs = 1_000

/** Time between two looks at what is being done, in milliseconds. */
const intervalMs = 200

/** Longer texts would take a second line, which is not erased. */
const maxLength = 78

/** Goes to the beginning of the line and erases it. */
const eraseLine = '\r\u001b[K'

/**
 * Does work that may take long. If it takes longer than a second, a terminal shows what is being done, on one line that is erased at the
 * end. Nothing is shown where the output is no terminal.
 *
 * @param work gets a function that says what is being done
 */
export async function showProgress<Result>(
  { isInteractive, err }: Pick<Terminal, 'isInteractive' | 'err'>,
  work: (show: (text: string) => void) => Promise<Result>,
  { after }: Pick<Timing, 'after'> = systemTiming,
): Promise<Result> {
  if (!isInteractive) return work(() => {})
  let latest = ''
  let shown = ''
  const draw = () => {
    if (latest !== shown) err(`${eraseLine}${latest.slice(0, maxLength)}`)
    shown = latest
    cancel = after(intervalMs, draw)
  }
  let cancel = after(quietMs, draw)
  try {
    return await work((text) => (latest = text))
  } finally {
    cancel()
    if (shown !== '') err(eraseLine)
  }
}
