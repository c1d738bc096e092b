import type { TestResult } from '@floe/contract'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { TestOutcome } from '../receiver-form/test-outcome.tsx'
import type { Receiver } from '../receiver-form/receiver.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FailureNote } from '../parts/failure.tsx'
import { useFloe } from '../floe.ts'
import { useAction } from '../parts/use-action.ts'

type TestDialogProps = { readonly receiver: Receiver; readonly onClose: () => void }

/** Sends the last commit to a saved receiver, and shows the result. */
export function TestDialog({ receiver: { kind, id, alias }, onClose }: TestDialogProps) {
  const { client, repo } = useFloe()
  const { isBusy, error, run } = useAction()
  const [result, setResult] = useState<TestResult>()
  const test = useCallback(
    () =>
      run(async () => {
        setResult(undefined)
        setResult(await client[`${kind}s`].test({ repo }, { id }))
      }),
    [run, client, repo, kind, id],
  )
  // The test starts when the dialog opens.
  useEffect(test, [test])
  return (
    <Dialog title={`Test ${alias}`} size="large" onClose={onClose}>
      <TestOutcome isBusy={isBusy} result={result} />
      <FailureNote error={error} />
      <div class="dialog-actions">
        <Button isBusy={isBusy} onClick={test}>
          Test again
        </Button>
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
