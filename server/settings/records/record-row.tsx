import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { FailureNote } from '../components/failure-note.tsx'
import { useAction } from '../hooks/use-action.ts'

/** Renders a dialog. */
export type OpenDialog = (onClose: () => void) => ComponentChildren

/** A button of a row. A dialog that `run` returns is shown until it closes. */
export type RowAction = { readonly text: string; readonly run: () => OpenDialog | void | Promise<OpenDialog | void> }

type RecordRowProps = {
  /** The record as sentences name it, such as `the expectation tile server`. */
  readonly name: string
  readonly title: string
  readonly address?: string
  /** What the record covers. */
  readonly scope?: string | undefined
  readonly tags: readonly (string | false)[]
  readonly state: ComponentChildren
  readonly actions: readonly (RowAction | false)[]
}

/** A record with its state and its actions. */
export function RecordRow({ name, title, address, scope, tags, state, actions }: RecordRowProps) {
  const { isBusy, error, run } = useAction()
  const [dialog, setDialog] = useState<OpenDialog>()
  const start = (action: RowAction) =>
    run(async () => {
      const opened = await action.run()
      if (opened) setDialog(() => opened)
    })
  return (
    <li class="record">
      <div class="identity">
        <h3>{title}</h3>
        {address !== undefined && (
          <p class="address">
            <code>{address}</code>
          </p>
        )}
        {scope !== undefined && <p class="scope">{scope}</p>}
        <p class="tags">{tags.map((tag) => tag !== false && <span key={tag}>{tag}</span>)}</p>
      </div>
      <div class="state">{state}</div>
      {actions.some(Boolean) && (
        <div class="actions">
          {actions.map(
            (action) =>
              action && (
                <Button
                  key={action.text}
                  tone="quiet"
                  isBusy={isBusy}
                  label={`${action.text} ${name}`}
                  onClick={() => start(action)}
                >
                  {action.text}
                </Button>
              ),
          )}
        </div>
      )}
      <FailureNote error={error} />
      {dialog?.(() => setDialog(undefined))}
    </li>
  )
}
