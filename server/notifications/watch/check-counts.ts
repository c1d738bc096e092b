import { Durations } from '../../observation/durations.ts'

/** The checks of heads that a process has made since its start. */
export class CheckCounts {
  /** Checks that found the head where it was. */
  unchanged = 0
  /** Checks that recorded a move. */
  moved = 0
  failed = 0
  /** How long checks took. */
  readonly durations = new Durations()
  /** How long after its time each poll began. */
  readonly lag = new Durations()
}
