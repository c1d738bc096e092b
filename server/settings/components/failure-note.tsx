import { explainFailure, isConnectionLost } from '../failures.ts'
import { Message } from './message.tsx'

type FailureNoteProps = {
  readonly error: unknown
  /** Whether the failed request was a change, which the service may have made although it did not answer. */
  readonly isChange?: boolean
}

/** Shows what went wrong. Screen readers announce it because the region exists before the message does. */
export function FailureNote({ error, isChange = false }: FailureNoteProps) {
  return (
    <div role="alert">
      {error !== undefined && (
        <p class="failure">
          <Message text={explainFailure(error)} />{' '}
          {isChange && isConnectionLost(error) && 'The change may have been made.'}
        </p>
      )}
    </div>
  )
}
