/**
 * Says whether the result of a long computation is still wanted. An `AbortSignal` does, and so does anything else that can be asked
 * while the event loop stands still.
 */
export type Cancellation = Pick<AbortSignal, 'throwIfAborted'>
