import type { AttachedContract } from '@floe/client'
import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { useLostFocus } from '../components/use-lost-focus.ts'
import type { ContractCalls } from '../settings-scope.ts'
import { ContractForm } from './contract-form.tsx'
import { ContractRow } from './contract-row.tsx'

type ContractSectionProps = { readonly calls: ContractCalls; readonly contracts: readonly AttachedContract[] }

/** The contracts of a repository, with a button that attaches one. */
export function ContractSection({ calls, contracts }: ContractSectionProps) {
  const [isAdding, setAdding] = useState(false)
  const { heading, beforeRemoval } = useLostFocus(contracts, 'The contract that you had open has been deleted.')
  return (
    <section class="part" aria-labelledby="contracts">
      <div class="part-head">
        <h2 id="contracts" ref={heading} tabIndex={-1}>
          Contracts <span>({contracts.length})</span>
        </h2>
        <Button onClick={() => setAdding(true)}>Attach contract</Button>
      </div>
      {contracts.length === 0 && (
        <p class="empty">
          No contracts yet. Attach one to be told when a commit breaks what readers of the datasets rely on.
        </p>
      )}
      <ul>
        {contracts.map((contract) => (
          <ContractRow key={contract.id} calls={calls} contract={contract} beforeRemoval={beforeRemoval} />
        ))}
      </ul>
      {isAdding && <ContractForm calls={calls} onClose={() => setAdding(false)} />}
    </section>
  )
}
