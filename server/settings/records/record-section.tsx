import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { PageButtons } from '../components/page-buttons.tsx'
import type { Pages } from '../hooks/use-pages.ts'
import type { OpenDialog } from './record-row.tsx'
import { useLostFocus } from './use-lost-focus.ts'

type RecordSectionProps = {
  readonly id: string
  readonly title: string
  /** Number of all records; undefined if the list has pages. */
  readonly count?: number
  /** The text of the button that opens the form of a new record; undefined if the page adds none. */
  readonly add?: string
  readonly renderForm?: OpenDialog
  /** What is shown in place of an empty list. */
  readonly empty?: string
  /** Said when the record of an open dialog is gone. */
  readonly lossNotice?: string
  /** The rows. */
  readonly children: ComponentChildren
  /** The pages of a list that has some. */
  readonly pages?: Pages
}

/** A list of records of one kind below its heading, often with a button that adds one. */
export function RecordSection(props: RecordSectionProps) {
  const { id, title, count, add, renderForm, empty, lossNotice, children, pages } = props
  const [isAdding, setAdding] = useState(false)
  const { heading, list } = useLostFocus(lossNotice)
  return (
    <section class="part" aria-labelledby={id}>
      <div class="part-head">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title} {count !== undefined && <span>({count})</span>}
        </h2>
        {add !== undefined && <Button onClick={() => setAdding(true)}>{add}</Button>}
      </div>
      {count === 0 && <p class="empty">{empty}</p>}
      <ul ref={list}>{children}</ul>
      {pages && <PageButtons of={title} pages={pages} />}
      {isAdding && renderForm?.(() => setAdding(false))}
    </section>
  )
}
