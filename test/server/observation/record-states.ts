import { StateLog } from '../../../server/observation/state-log.ts'
import type { Stopwatch } from '../../../server/timing.ts'

/** A log of states, and its lines. */
export function recordStates(elapsed: Stopwatch): { readonly states: StateLog; readonly lines: object[] } {
  const lines: object[] = []
  const write = (level: string) => (facts: object, message: string) => void lines.push({ level, message, ...facts })
  return { states: new StateLog(elapsed, { error: write('error'), warn: write('warn'), info: write('info') }), lines }
}
