// Turns the TAP of a run into what people read: a line for each file, failures in full, skipped tests with their reasons, and the counts at
// the end.
import { Transform, type TransformCallback } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { pickFailures, readPoint } from './failures.ts'

/** Reads TAP and writes the report. */
export class Report extends Transform {
  readonly #decoder = new StringDecoder('utf8')
  #unfinishedLine = ''
  #linesOfFile: string[] = []
  #failedFiles: string[] = []
  #hasFailed = false
  #isInDiagnosis = false
  #counts: string | undefined
  #took = ''

  override _transform(chunk: Buffer | string, _encoding: string, done: TransformCallback): void {
    const text = typeof chunk === 'string' ? chunk : this.#decoder.write(chunk)
    const lines = `${this.#unfinishedLine}${text}`.split('\n')
    this.#unfinishedLine = lines.pop() ?? ''
    for (const line of lines) this.#read(line)
    done()
  }

  override _flush(done: TransformCallback): void {
    if (this.#unfinishedLine !== '') this.#read(this.#unfinishedLine)
    // If the run was interrupted, these lines belong to a file that did not end.
    this.#print(...pickFailures(this.#linesOfFile))
    if (this.#failedFiles.length > 0) this.#print('', 'Failed:', ...this.#failedFiles.map((name) => `  ${name}`))
    this.#print('', this.#counts === undefined ? 'The run did not end.' : `${this.#counts}${this.#took}`)
    done()
  }

  #read(line: string): void {
    const counts = /^# \{ total: \d+.*\}$/.exec(line)
    const time = /^# time=(.*)$/.exec(line)?.[1]
    if (this.#isInDiagnosis || (line === '  ---' && this.#hasFailed)) {
      this.#isInDiagnosis = line !== '  ...'
      this.#print(line)
    } else if (line.startsWith('    ')) this.#linesOfFile.push(line.slice(4))
    else if (counts) this.#counts = describeCounts(line)
    else if (time !== undefined) this.#took = ` in ${toSeconds(time)}`
    else if (readPoint(line)) this.#endFile(line)
    else if (!/^(# .*|TAP version \d+|1\.\.\d+|)$/.test(line)) this.#print(line)
  }

  #endFile(line: string): void {
    const { ok = false, name = '', skipped } = readPoint(line) ?? {}
    const time = / # time=(\S+)$/.exec(line)?.[1]
    this.#print(`${ok ? 'ok    ' : 'FAILED'} ${time === undefined ? '' : toSeconds(time).padStart(8)}  ${name}`)
    if (skipped !== undefined) this.#print(`       skipped: ${skipped}`)
    for (const point of this.#linesOfFile.map(readPoint)) {
      // tests that TAP_GREP leaves out, which are many
      if (point?.skipped === undefined || point.skipped.startsWith('filter: ')) continue
      this.#print(`       skipped: ${point.name}: ${point.skipped}`)
    }
    this.#hasFailed = !ok
    if (!ok) {
      this.#failedFiles.push(name)
      this.#print(...pickFailures(this.#linesOfFile))
    }
    this.#linesOfFile = []
  }

  #print(...lines: string[]): void {
    for (const line of lines) this.push(`${line}\n`)
  }
}

/** Writes `12 passed, 0 failed, 1 skipped` from tap's line of counts, which leaves out those that are zero. */
function describeCounts(line: string): string {
  const count = (name: string) => Number(new RegExp(`[{ ]${name}: (\\d+)`).exec(line)?.[1] ?? 0)
  const [skipped, todo] = [count('skip'), count('todo')]
  const rest = `${skipped > 0 ? `, ${skipped} skipped` : ''}${todo > 0 ? `, ${todo} to do` : ''}`
  return `${count('pass')} passed, ${count('fail')} failed${rest}`
}

function toSeconds(time: string): string {
  const [, amount = '0', unit = 'ms'] = /^([\d.]+)(ms|s|m)?$/.exec(time) ?? []
  return `${(Number(amount) * ({ ms: 0.001, s: 1, m: 60 }[unit] ?? 0)).toFixed(1)} s`
}
