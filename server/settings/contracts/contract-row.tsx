import type { AttachedContract, AttachedContractDocument, Versioned } from '@floe/client'
import { useState } from 'preact/hooks'
import { Badge } from '../components/badge.tsx'
import { Moment } from '../components/moment.tsx'
import { RecordRow } from '../components/record-row.tsx'
import type { ContractCalls } from '../settings-scope.ts'
import { ContractForm } from './contract-form.tsx'

type ContractRowProps = {
  readonly calls: ContractCalls
  readonly contract: AttachedContract
  /** Called with the row before it disappears. Must not change between renderings. */
  readonly beforeRemoval: (row: HTMLElement) => void
}

/** A contract with its state. */
export function ContractRow({ calls, contract, beforeRemoval }: ContractRowProps) {
  const { id, name, branch, declared } = contract
  const [edited, setEdited] = useState<Versioned<AttachedContractDocument>>()
  return (
    <RecordRow
      name={`the contract ${name}`}
      identity={
        <>
          <h3>{name}</h3>
          <p class="scope">Branch {branch}</p>
        </>
      }
      state={<ContractState contract={contract} />}
      isDeclared={declared}
      onEdit={async () => setEdited(await calls.get({ id }))}
      onDelete={() => calls.delete({ id })}
      deletion="Nobody is told any more when the branch breaks it. No event is sent for the deletion."
      beforeRemoval={beforeRemoval}
    >
      {edited && <ContractForm calls={calls} saved={edited} onClose={() => setEdited(undefined)} />}
    </RecordRow>
  )
}

type BadgeProps = { readonly tone: 'good' | 'bad' | 'waiting'; readonly text: string }

const notJudged: BadgeProps = { tone: 'waiting', text: 'Not judged yet' }

const badges: ReadonlyMap<string | null, BadgeProps> = new Map([
  ['kept', { tone: 'good', text: 'Kept' }],
  ['broken', { tone: 'bad', text: 'Broken' }],
])

/** Says whether the branch keeps the contract, and what breaks it. */
function ContractState({ contract }: { readonly contract: AttachedContract }) {
  const { state, broken_since, breaks, breaking_changes, unknown_reason } = contract
  const { tone, text } = badges.get(state) ?? notJudged
  const left = breaking_changes - breaks.length
  return (
    <div class="state">
      <Badge tone={tone}>{text}</Badge>
      {broken_since !== null && (
        <p>
          Broken since <Moment at={broken_since} />
        </p>
      )}
      {breaks.length > 0 && (
        <ul class="breaks">
          {breaks.map((words) => (
            <li key={words}>{words}</li>
          ))}
          {left > 0 && <li>and {left} more</li>}
        </ul>
      )}
      {unknown_reason !== null && <p>The last head could not be judged: {unknown_reason}</p>}
    </div>
  )
}
