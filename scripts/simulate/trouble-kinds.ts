// The kinds of trouble that a run can have.
import { failing, type Mood, type RetryAfter } from './world/receivers.ts'

export const secondMs = 1_000
export const minuteMs = 60_000

/** Kinds of trouble, and how likely a run has it. */
export const kinds = {
  kills: 0.6,
  stops: 0.3,
  outages: 0.4,
  killsAtSteps: 0.5,
  pauses: 0.3,
  pausesAtSteps: 0.6,
  clockSteps: 0.15,
  clockStepsAtSteps: 0.2,
  lostAnswers: 0.5,
  turnsAtSteps: 0.6,
  requestsAtSteps: 0.6,
  slowDatabase: 0.25,
  failingDatabase: 0.25,
  slowFiles: 0.3,
  failingFiles: 0.3,
  damage: 0.5,
  lostSignals: 0.5,
  moodyReceivers: 0.8,
} as const

export type Trouble = keyof typeof kinds

/** Kinds that last for a time. */
export const windowKinds = ['slowDatabase', 'failingDatabase', 'slowFiles', 'failingFiles'] as const
export type WindowKind = (typeof windowKinds)[number]

/** Kinds that happen when a process reaches a step, and the steps where they have the worst consequences. */
export const steps = {
  killsAtSteps: [
    'after claim',
    'before record',
    'after record',
    'after commit of event',
    'after heartbeat',
    'after commit of digest',
    'after lease',
    'after commit of index change',
  ],
  pausesAtSteps: [
    'after claim',
    'before connection',
    'before record',
    'before digest',
    'before begin',
    'after event',
    'after read of repo',
    'after lease',
  ],
  clockStepsAtSteps: ['after claim', 'before record', 'before heartbeat'],
  // The statement takes effect, and its answer comes late or never.
  lostAnswers: [
    'before answer to claim',
    'before answer to record',
    'before answer to commit of event',
    'before answer to commit of digest',
    'before answer to lease',
    'before answer to commit of index change',
  ],
  // A repository turns while a process believes what it has just read.
  turnsAtSteps: ['after read of repo', 'after lease', 'before end of indexing'],
  // Somebody asks for a repository whose name is just read.
  requestsAtSteps: ['during read of names'],
} as const
export type StepKind = keyof typeof steps

/** Lengths of pauses in seconds: shorter and longer than exchanges, leases and lives of replicas. */
export const pauses = [0.5, 4, 8, 14, 25, 45, 100]

/** The same at chosen steps: mostly long enough for others to take over. */
export const stepPauses = [3, 14, 20, 30, 45]

/** A pause that is shorter than the life of a replica, so that nobody takes over. */
export const briefPause = 5

/** Values of `Retry-After` that receivers send. Some are in the past, and some exceed the cap of a day. */
const soon: readonly RetryAfter[] = [
  { seconds: 0 },
  { seconds: 3 },
  { seconds: 20 },
  { seconds: 20, isDate: true },
  { seconds: 90, isDate: true },
  { seconds: -3_600, isDate: true },
]
const later: readonly RetryAfter[] = [
  { seconds: 7_200 },
  { seconds: 10 * 86_400 },
  { seconds: 30 * 86_400, isDate: true },
]

/** How receivers fail that will be well again. */
export const failures: readonly Mood[] = [
  { name: 'asking for much later', between: [1, 50], status: 503, retryAfter: later },
  failing,
  { name: 'asking for later', between: [1, 50], status: 429, retryAfter: soon },
]

export const moods: readonly Mood[] = [
  ...failures,
  { name: 'slow', between: [500, 4_400], status: 200 },
  { name: 'too slow', between: [4_800, 9_000], status: 200 },
  { name: 'redirecting', between: [1, 50], status: 302, headers: { location: 'https://elsewhere.example/' } },
  { name: 'long-winded', between: [1, 50], status: 200, bodyBytes: 400_000 },
  { name: 'closing', between: [1, 100], status: 200, closes: 'orderly' },
  { name: 'resetting', between: [1, 100], status: 200, closes: 'with a reset' },
  { name: 'hanging', between: [0, 0] },
  { name: 'unknown', between: [0, 0], lookUpCode: 'ENOTFOUND' },
  { name: 'refusing', between: [0, 0], connectCode: 'ECONNREFUSED' },
  { name: 'unreachable', between: [0, 0], connectCode: 'hangs' },
]

export const gone: Mood = { name: 'gone', between: [1, 50], status: 410 }
