import { Durations } from '../observation/durations.ts'
import { Labelled } from '../observation/labelled.ts'

/** What reader threads did since the start. */
export class ReaderWork {
  /** How long each call took them: tasks, without reads of the object store, saving, warming up. */
  readonly durations = new Durations()
  /** How often one was ended because of `time` or `memory`. */
  readonly ends = new Labelled(() => ({ count: 0 }))
  /** Questions that were refused because too many waited, or because they had waited too long. */
  refused = 0
}
