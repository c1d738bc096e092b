// Counts what the services of a run log: while a database restarts, they say the same a hundred times.
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { z } from 'zod'

/** A line of the log of a service. */
const Line = z.object({ msg: z.string(), err: z.object({ message: z.string() }).optional() })

/** How often each message was logged. */
export class LogCounts {
  readonly #counts = new Map<string, number>()

  /** Counts the lines of a process. What is no line of a log, such as the stack of an error that nobody expected, is printed at once. */
  follow(standardError: Readable): void {
    createInterface({ input: standardError }).on('line', (text) => {
      const message = readMessage(text)
      if (message === undefined) console.error(text)
      else this.#counts.set(message, (this.#counts.get(message) ?? 0) + 1)
    })
  }

  /** Prints the messages, the most frequent first. */
  print(): void {
    for (const [message, count] of [...this.#counts].sort(([, one], [, other]) => other - one)) {
      console.log(`logged ${count} times: ${message}`)
    }
  }
}

function readMessage(text: string): string | undefined {
  try {
    const { msg, err } = Line.parse(JSON.parse(text))
    // Messages that differ in a port or a duration are one.
    return [msg, ...(err ? [err.message] : [])].join(': ').replaceAll(/\d+/g, 'N')
  } catch {
    return undefined
  }
}
