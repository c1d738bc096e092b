import { systemTiming, type Timing } from '../../../../server/timing.ts'

/** The timing of the machine, but what rests for more than a second never goes on. */
export const shortTimers: Timing = {
  ...systemTiming,
  after: (ms, callback) => (ms > 1_000 ? () => {} : systemTiming.after(ms, callback)),
}
