import type { Expectation } from '@floe/client'
import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { useLostFocus } from '../components/use-lost-focus.ts'
import type { ExpectationCalls } from '../settings-scope.ts'
import { ExpectationForm } from './expectation-form.tsx'
import { ExpectationRow } from './expectation-row.tsx'

type ExpectationSectionProps = { readonly calls: ExpectationCalls; readonly expectations: readonly Expectation[] }

/** The expectations of a repository or an organisation, with a button that adds one. */
export function ExpectationSection({ calls, expectations }: ExpectationSectionProps) {
  const [isAdding, setAdding] = useState(false)
  const { heading, beforeRemoval } = useLostFocus(expectations, 'The expectation that you had open has been deleted.')
  return (
    <section class="part" aria-labelledby="expectations">
      <div class="part-head">
        <h2 id="expectations" ref={heading} tabIndex={-1}>
          Expectations <span>({expectations.length})</span>
        </h2>
        <Button onClick={() => setAdding(true)}>Add expectation</Button>
      </div>
      {expectations.length === 0 && (
        <p class="empty">
          No expectations yet. Add one to be told when a branch has had no commit for longer than you expect, when
          chunks are missing, or when a commit breaks what readers of the datasets rely on.
        </p>
      )}
      <ul>
        {expectations.map((expectation) => (
          <ExpectationRow key={expectation.id} calls={calls} expectation={expectation} beforeRemoval={beforeRemoval} />
        ))}
      </ul>
      {isAdding && <ExpectationForm calls={calls} onClose={() => setAdding(false)} />}
    </section>
  )
}
