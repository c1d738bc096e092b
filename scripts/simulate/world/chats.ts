// Chats of the organisation. What is not critical waits for the end of their quiet hours, or for the time of their
// digest.
import { defaultFilter, type EventFilter } from '@floe/contract/lists'
import { machine } from '../machine/machine.ts'
import { failing, SimulatedReceiver, well } from './receivers.ts'

export type SimulatedChat = {
  readonly alias: string
  readonly filter: EventFilter
  /** Where it is. */
  readonly host: SimulatedReceiver
  /** When somebody asked for one of its deliveries before the retry was due. */
  readonly hastened: number[]
}

const minuteMs = 60_000

/** How long a chat fails before it is told what has waited, in milliseconds. */
const failingMs = 100_000

const filter: EventFilter = {
  ...defaultFilter,
  events: [
    'NewCommit',
    'BranchCreated',
    'BranchDeleted',
    'TagCreated',
    'TagDeleted',
    'ExpectationUnmet',
    'ExpectationMet',
  ],
  branches: ['**'],
  kinds: ['contract'],
}

/**
 * Chooses chats whose times are soon after midnight, when a run begins.
 *
 * @param number of the first of them among all receivers
 */
export function chooseChats(number: number): readonly SimulatedChat[] {
  const { random } = machine
  const chooseHours = (from: number) => ({ from: writeTime(from), to: writeTime(from + 2 + random.below(3)) })
  const chats: readonly (readonly [string, EventFilter])[] = [
    ['early', { ...filter, repos: ['**'], quiet: chooseHours(1 + random.below(5)) }],
    ['late', { ...filter, repos: ['r1?'], quiet: chooseHours(8 + random.below(12)) }],
    ['daily', { ...filter, repos: ['r?'], digest: { at: writeTime(2 + random.below(10)), every: 'day' } }],
  ]
  return chats.map(([name, filter], index) => {
    const alias = `chat-${name}`
    const host = new SimulatedReceiver(alias, number + index, () => {}, { stays: true })
    return { alias, filter, host, hastened: [] }
  })
}

/**
 * Lets chats fail until they are told what has waited. Critical alerts then wait for a retry, and no digest may
 * overtake them.
 */
export function failBeforeDigests(chats: readonly SimulatedChat[]): void {
  for (const { filter, host } of chats) {
    const toldMs = readMinutes(filter.digest?.at ?? filter.quiet?.to ?? '') * minuteMs
    machine.plan(toldMs - failingMs, 'world', () => void (host.mood = failing))
    machine.plan(toldMs, 'world', () => void (host.mood = well))
  }
}

function writeTime(minutes: number): string {
  return `00:${String(minutes).padStart(2, '0')}`
}

function readMinutes(time: string): number {
  return Number(time.slice('00:'.length))
}

/** Writes a chat for the configuration file. Its service shows lines as they are. */
export function writeChat({ alias, filter: { repos, events, branches, kinds, quiet, digest } }: SimulatedChat) {
  return {
    org: 'acme',
    repos: [...(repos ?? [])],
    alias,
    service: 'dingtalk' as const,
    url: `https://${alias}.example/${alias}`,
    events: [...events],
    branches: [...branches],
    kinds: kinds && [...kinds],
    quiet,
    digest,
  }
}
