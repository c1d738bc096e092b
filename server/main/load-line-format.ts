import type { FormatLine } from '../observation/open-log.ts'

/** Control characters that pino-pretty copies from stacks. They could control the terminal. */
const controls = /[^\P{Cc}\n]|\p{Cf}/gu

/** Loads the function that formats lines of the log for a terminal. Only a terminal needs pino-pretty. */
export async function loadLineFormat(): Promise<FormatLine> {
  const { prettyFactory } = await import('pino-pretty')
  const show = prettyFactory({
    colorize: false,
    singleLine: true,
    ignore: 'pid,hostname',
    // The `error` of a failed delivery is a text, so it stays in its line.
    errorLikeObjectKeys: ['err'],
    translateTime: 'SYS:HH:MM:ss',
  })
  return (line) => show(line).replace(controls, (control) => `\\u{${control.codePointAt(0)?.toString(16)}}`)
}
