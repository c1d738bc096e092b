// Which replicas were processes of this machine that have ended without leaving, such as those that were killed.
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** A process of a machine. */
export type HostProcess = {
  readonly host: string
  /** Names what the ids of processes belong to: a start of a machine, and a container. Empty where nothing names it. */
  readonly idSpace: string
  readonly pid: number
  /** When the process began, because systems use the ids of ended processes again. */
  readonly startedAt: string
  /** Finds when a process of this machine began; undefined if it has ended. */
  readonly findStart: (pid: number) => string | undefined
}

/** Describes the process in which this runs. */
export function describeThisProcess(): HostProcess {
  const findStart = process.platform === 'linux' ? findLinuxStart : findStartBySignal
  return {
    host: hostname(),
    idSpace: process.platform === 'linux' ? nameIdSpace() : '',
    pid: process.pid,
    startedAt: findStart(process.pid) ?? '',
    findStart,
  }
}

/** The id of a replica of a process. `unique` tells replicas of one process apart. */
export function nameReplica({ host, idSpace, pid, startedAt }: HostProcess, unique: string): string {
  return [host, idSpace, pid, startedAt, unique].join(' ')
}

/** Returns the machine and the process of a replica. */
export function parseReplicaName(replica: string): Pick<HostProcess, 'host' | 'pid'> {
  const [host = '', , pid] = replica.split(' ')
  return { host, pid: Number(pid) }
}

/**
 * Whether a replica was a process that has ended.
 *
 * @param isStart whether this process has just started. Then what had its host name and its process id is taken as
 * ended, because containers keep both when they start again. Two machines may have the same name, so later this would
 * remove replicas that are alive.
 */
export function hasEnded(replica: string, self: HostProcess, isStart: boolean): boolean {
  const [host, idSpace, pid, startedAt] = replica.split(' ')
  if (host !== self.host) return false
  if (idSpace === self.idSpace) return self.findStart(Number(pid)) !== startedAt
  return isStart && Number(pid) === self.pid
}

function nameIdSpace(): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return `${boot}/${readlinkSync('/proc/self/ns/pid')}`
}

/** Fields 3 and 22 of `/proc/PID/stat` are the state and the start of a process. Source: proc_pid_stat(5). */
function findLinuxStart(pid: number): string | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The name of the program is field 2, in brackets, and may contain spaces and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state = ''] = fields
  // A zombie has ended, and waits until its parent asks how.
  return 'ZXx'.includes(state) ? undefined : fields[19]
}

/** Other systems tell whether a process runs, but not since when. */
function findStartBySignal(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
    return ''
  } catch (error) {
    // A process of another user cannot be sent a signal.
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? '' : undefined
  }
}
