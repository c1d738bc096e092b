// Does what a reader of a document does: runs its shell commands and programs, from top to bottom, as processes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What the documents show, and what stands for it here. */
const shown = { origin: 'http://127.0.0.1:8080', key: /\bKEY\b/g, repositories: './repos' }
const repositories = 'test/fixtures/repositories'
const bin = 'node_modules/.bin/'

/** A command or a program of a document, with the lines that it should print; without lines, anything. */
export type Step = {
  readonly language: string
  readonly code: string
  readonly prints: readonly string[]
  /** The JSON that it should print, as the document lays it out. */
  readonly answer?: string
}

/**
 * Lists the commands in `sh` blocks and the programs in `ts` blocks of a document. A `json` block that follows at once
 * is the answer to the last command.
 */
export function listSteps(document: string): Step[] {
  const blocks = document.matchAll(/^```(sh|ts)\n(.*?)^```\n(?:\n```json\n(.*?)^```)?/gms)
  return [...blocks].flatMap(([, language = '', block = '', answer]) => {
    const steps: Step[] = language === 'sh' ? splitCommands(block) : [readProgram(block)]
    return steps.map((step, index) => (answer && index === steps.length - 1 ? { ...step, answer } : step))
  })
}

/** A command goes on after `\` and `|`. A line that begins with `# ` is what the command above it prints. */
function splitCommands(block: string): Step[] {
  const steps: { language: string; code: string; prints: string[] }[] = []
  for (const line of block.replaceAll('\\\n', '').replaceAll('|\n', '|').split('\n')) {
    if (line.startsWith('# ')) steps.at(-1)?.prints.push(line.slice(2))
    else if (line.trim() !== '') steps.push({ language: 'sh', code: line, prints: [] })
  }
  return steps
}

/** Comments at the end of a program are what it prints. */
function readProgram(code: string): Step {
  const lines = code.trimEnd().split('\n')
  const end = lines.findLastIndex((line) => !line.startsWith('// ')) + 1
  return { language: 'ts', code, prints: lines.slice(end).map((line) => line.slice(3)) }
}

/** Somebody who follows a document in a copy of this project, with a database of their own. */
export class Reader {
  readonly #directory: string
  #server: { readonly child: ChildProcess; readonly origin: string } | undefined
  #key = ''

  private constructor(directory: string) {
    this.#directory = directory
  }

  static async open(t: Test): Promise<Reader> {
    const reader = new Reader(t.testdir())
    t.teardown(() => reader.#stopServer())
    // The documents leave out that an answer with an error status is a failure.
    await writeFile(join(reader.#directory, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n')
    return reader
  }

  /**
   * Does one step, and returns the lines that it has printed. A service that it starts goes on running until the next
   * one is started.
   */
  async follow({ language, code }: Step): Promise<string[]> {
    // Without what is there already, because the tests run in an installed project, and without npx, which takes a
    // second.
    const command = this.#fill(code.replace(/^npm ci && /, '').replace(/^npx (?=floe )/, bin))
    if (language === 'ts') return this.#run(`node --conditions=@floe/source ${await this.#save(command)}`)
    if (/^(npm start|\S+floe serve)\b/.test(command)) {
      await this.#startServer(command)
      return []
    }
    const lines = await this.#run(command)
    if (command.includes('floe keys create')) this.#key = lines[0] ?? ''
    return lines
  }

  #fill(code: string): string {
    return (
      code
        .replaceAll(shown.origin, this.#server?.origin ?? shown.origin)
        .replaceAll(shown.key, this.#key)
        .replaceAll(shown.repositories, repositories)
        // Beside the programs that import it.
        .replaceAll('> datasets.ts', `> ${join(this.#directory, 'datasets.ts')}`)
    )
  }

  async #save(program: string): Promise<string> {
    const path = join(this.#directory, 'program.ts')
    await writeFile(path, program)
    return path
  }

  #spawn(command: string): ChildProcess {
    const database = `sqlite:${join(this.#directory, 'floe.db')}`
    return spawn('sh', ['-c', command], {
      cwd: root,
      // Without the variables of the tests' runner, which would change what Node.js loads.
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        CURL_HOME: this.#directory,
        FLOE_LISTEN_PORT: '0',
        FLOE_DATABASE: database,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      // A group of its own, so that a signal reaches what npm starts.
      detached: true,
    })
  }

  async #run(command: string): Promise<string[]> {
    const child = this.#spawn(command)
    const [printed, [code]] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'close')])
    // As it may be on a busy machine.
    if (printed.includes('The service is overloaded')) return this.#run(command)
    if (code !== 0) throw new Error(`${command} ended with ${code}: ${printed}`)
    return printed.split('\n').filter((line) => line !== '')
  }

  async #startServer(command: string): Promise<void> {
    await this.#stopServer()
    const child = this.#spawn(command)
    if (!child.stdout) throw new TypeError('the service has no output')
    let origin: string | undefined
    for await (const line of createInterface({ input: child.stdout })) {
      origin ??= /^listening on (\S+)/.exec(line)?.[1]
      // `npm start` makes a key, and prints it after the address.
      const key = /curl -u \w+:(\S+)/.exec(line)?.[1]
      if (key !== undefined) this.#key = key
      if (origin === undefined || (command === 'npm start' && key === undefined)) continue
      this.#server = { child, origin }
      // What it prints later must not fill the pipe, nor keep the process from being closed.
      child.stdout.resume()
      return
    }
    throw new Error(`${command} ended`)
  }

  async #stopServer(): Promise<void> {
    const { child } = this.#server ?? {}
    if (child?.pid === undefined) return
    this.#server = undefined
    const closed = once(child, 'close')
    process.kill(-child.pid, 'SIGTERM')
    await closed
  }
}
