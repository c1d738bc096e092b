// Threads of processes, which run in this thread: each message takes time, and the programs are the real ones.
import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import threads from 'node:worker_threads'
import { machine, type Owner } from './machine.ts'

/** A program that runs in a thread: gets messages, and posts answers. */
export type ThreadProgram = {
  readonly receive: (message: unknown) => void
  /** Ends what the program has open, however its process ended. */
  readonly end: () => void
}

/** The thread of a program. */
export type ThreadSide = {
  readonly owner: Owner
  readonly data: unknown
  readonly post: (message: unknown) => void
  readonly exit: () => void
}

/** Programs of the simulation, by the names of the files that they replace. */
export const programs = new Map<string, (side: ThreadSide) => ThreadProgram>()

/** Instances of programs that were loaded. */
let instances = 0

/** Replaces threads. */
export function patchThreads(): void {
  Object.assign(threads, { Worker: MachineThread })
}

/** A thread, as the process that started it sees it. */
class MachineThread extends EventEmitter {
  readonly #owner: Owner
  readonly #isSimulated: boolean
  #program: ThreadProgram | undefined
  readonly #early: unknown[] = []
  #hasEnded = false
  readonly #vanish = () => this.#program?.end()

  constructor(file: URL, options: { readonly workerData?: unknown }) {
    super()
    const { owner } = machine
    if (owner === undefined) throw machine.fault('a thread belongs to no process')
    this.#owner = owner
    owner.atEnd.add(this.#vanish)
    this.#isSimulated = programs.has(basename(file.pathname))
    const side: ThreadSide = {
      owner,
      data: structuredClone(options.workerData),
      post: (message) => void (this.#hasEnded || this.emit('message', message)),
      exit: () => this.#exit(0),
    }
    machine.plan(machine.random.between(5, 60), 'thread starts', () => this.#start(file, side), {
      detail: basename(file.pathname),
    })
  }

  #start(file: URL, side: ThreadSide): void {
    if (this.#hasEnded) return
    const begin = (program: ThreadProgram) => {
      this.#program = program
      for (const message of this.#early.splice(0)) program.receive(message)
    }
    const open = programs.get(basename(file.pathname))
    if (open !== undefined) return begin(open(side))
    // The failure of a program is a failure of the simulation, which the run then shows.
    void machine.load(runProgram(file, side)).then(begin, (error: unknown) => {
      machine.fault(`${basename(file.pathname)} cannot be run: ${String(error)}`)
    })
  }

  postMessage(message: unknown, transfer: readonly ArrayBuffer[] = []): void {
    // The programs of the simulation change no message.
    const copy: unknown = this.#isSimulated ? message : structuredClone(message, { transfer: [...transfer] })
    machine.plan(machine.random.between(0.01, 0.1), 'turn', () => {
      if (this.#hasEnded) return
      if (this.#program === undefined) this.#early.push(copy)
      else this.#program.receive(copy)
    })
  }

  async terminate(): Promise<number> {
    await machine.wait(1, 'thread ends')
    this.#exit(1)
    return 1
  }

  #exit(code: number): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#owner.atEnd.delete(this.#vanish)
    this.#program?.end()
    this.emit('exit', code)
  }

  ref(): void {}

  unref(): void {}
}

/** Runs the real program of a thread: loads another instance of its module, whose port leads here. */
async function runProgram(file: URL, side: ThreadSide): Promise<ThreadProgram> {
  const port = Object.assign(new EventEmitter(), {
    postMessage: (message: unknown, transfer: readonly ArrayBuffer[] = []) => {
      const copy: unknown = structuredClone(message, { transfer: [...transfer] })
      machine.plan(machine.random.between(0.2, 3), 'message', () => side.post(copy), { owner: side.owner })
    },
  })
  const { parentPort, workerData } = threads
  Object.assign(threads, { parentPort: port, workerData: side.data })
  syncBuiltinESMExports()
  try {
    await import(`${file.href}?instance=${(instances += 1)}`)
  } finally {
    Object.assign(threads, { parentPort, workerData })
    syncBuiltinESMExports()
  }
  return { receive: (message) => port.emit('message', message), end: () => port.removeAllListeners() }
}
