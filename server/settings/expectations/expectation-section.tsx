import type { Expectation, Receiver } from '@floe/client'
import { RecordSection } from '../records/record-section.tsx'
import { ExpectationForm } from './expectation-form.tsx'
import { ExpectationRow } from './expectation-row.tsx'

type ExpectationSectionProps = {
  readonly expectations: readonly Expectation[]
  /** Who can be told of them. */
  readonly receivers: readonly Receiver[]
}

/** The expectations of a repository or an organisation. */
export function ExpectationSection({ expectations, receivers }: ExpectationSectionProps) {
  return (
    <RecordSection
      id="expectations"
      title="Expectations"
      count={expectations.length}
      add="Add expectation"
      renderForm={(onClose) => <ExpectationForm onClose={onClose} />}
      empty={
        'No expectations yet. Add one to be told when a branch has had no commit for longer than you expect, when ' +
        'chunks are missing, or when a commit breaks what readers of the datasets rely on.'
      }
      lossNotice="The expectation that you had open has been deleted."
    >
      {expectations.map((expectation) => (
        <ExpectationRow key={expectation.id} expectation={expectation} receivers={receivers} />
      ))}
    </RecordSection>
  )
}
