import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import type { OpenDialog } from './record-row.tsx'
import { useLostFocus } from './use-lost-focus.ts'

type RecordSectionProps = {
  readonly id: string
  readonly title: string
  /** Number of all records; undefined if the list has pages. */
  readonly count?: number
  /** The text of the button that opens the form of a new record. */
  readonly add: string
  readonly renderForm: OpenDialog
  /** What is shown in place of an empty list. */
  readonly empty?: string
  /** Said when the record of an open dialog is gone. */
  readonly lossNotice?: string
  /** The rows. */
  readonly children: ComponentChildren
  /** What follows the list. */
  readonly foot?: ComponentChildren
}

/** A list of records of one kind below its heading, with a button that adds one. */
export function RecordSection(props: RecordSectionProps) {
  const { id, title, count, add, renderForm, empty, lossNotice, children, foot } = props
  const [isAdding, setAdding] = useState(false)
  const { heading, list } = useLostFocus(lossNotice)
  return (
    <section class="part" aria-labelledby={id}>
      <div class="part-head">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title} {count !== undefined && <span>({count})</span>}
        </h2>
        <Button onClick={() => setAdding(true)}>{add}</Button>
      </div>
      {count === 0 && <p class="empty">{empty}</p>}
      <ul ref={list}>{children}</ul>
      {foot}
      {isAdding && renderForm(() => setAdding(false))}
    </section>
  )
}
