import type { Expectation, Versioned } from '@floe/client'
import { useContext, useState } from 'preact/hooks'
import { Badge } from '../components/badge.tsx'
import { Message } from '../components/message.tsx'
import { Moment, Upcoming } from '../components/moment.tsx'
import { RecordRow } from '../components/record-row.tsx'
import { expectationForms } from '../generated/expectation-forms.ts'
import { NowContext } from '../hooks/now-context.ts'
import { useSettings } from '../settings-context.ts'
import type { ExpectationCalls, WholeExpectation } from '../settings-scope.ts'
import { ExpectationForm } from './expectation-form.tsx'
import { listFields, readValues } from './form-values.ts'
import { nameExpectation } from './name-expectation.ts'

type ExpectationRowProps = {
  readonly calls: ExpectationCalls
  readonly expectation: Expectation
  /** Called with the row before it disappears. Must not change between renderings. */
  readonly beforeRemoval: (row: HTMLElement) => void
}

/** An expectation with the states of its branches. */
export function ExpectationRow({ calls, expectation, beforeRemoval }: ExpectationRowProps) {
  const { id, kind, alias, declared, repos } = expectation
  const { scope } = useSettings()
  const [edited, setEdited] = useState<Versioned<WholeExpectation>>()
  const name = nameExpectation(expectation)
  const isForeign = repos !== null && scope.kind === 'repository'
  return (
    <RecordRow
      name={`the expectation ${name}`}
      identity={
        <>
          <h3>{alias ?? expectationForms[kind].title}</h3>
          <p class="scope">{describeSettings(expectation, scope.kind)}</p>
        </>
      }
      state={<States expectation={expectation} />}
      changedIn={declared ? 'declared in the configuration file' : isForeign ? 'of the organisation' : undefined}
      onEdit={async () => setEdited(await calls.get({ id }))}
      onDelete={() => calls.delete({ id })}
      deletion={
        'Nobody is told any more when a branch does not meet it. For each branch that does not meet it now, the ' +
        'event ExpectationMet is sent.'
      }
      beforeRemoval={beforeRemoval}
    >
      {edited && <ExpectationForm calls={calls} saved={edited} onClose={() => setEdited(undefined)} />}
    </RecordRow>
  )
}

/** Lists what is set, such as `Freshness, branch main, max age 6h`. */
function describeSettings(expectation: Expectation, scope: 'repository' | 'organisation'): string {
  const values = readValues(expectation)
  const set = listFields(expectation.kind, scope).flatMap(({ name, label, control }) => {
    const value = values[name] ?? ''
    if (value === '' || name === 'alias' || control === 'document') return []
    return [`${label.toLowerCase()} ${value.replaceAll('\n', ', ')}`]
  })
  return [expectationForms[expectation.kind].title, ...set].join(', ')
}

/** Maximum number of branches that a row lists. */
const maxListed = 10

/** Says of how many branches it is met, and of each what is known. */
function States({ expectation: { states, unmet } }: Pick<ExpectationRowProps, 'expectation'>) {
  const isUnknown = states.some(({ state }) => state === 'unknown')
  const left = states.length - maxListed
  return (
    <div class="state">
      {unmet > 0 ? (
        <Badge tone="bad">{states.length === 1 ? 'Unmet' : `Unmet by ${unmet.toLocaleString('en')}`}</Badge>
      ) : states.length === 0 ? (
        <Badge tone="waiting">No branch yet</Badge>
      ) : (
        <Badge tone={isUnknown ? 'waiting' : 'good'}>{isUnknown ? 'Unknown' : 'Met'}</Badge>
      )}
      <ul class="breaks">
        {states.slice(0, maxListed).map((state) => (
          <li key={`${state.repo} ${state.branch}`}>
            <BranchState {...state} />
          </li>
        ))}
        {left > 0 && <li>and {left} more</li>}
      </ul>
    </div>
  )
}

function BranchState({ repo, branch, state, summary, since, due_at }: Expectation['states'][number]) {
  const { scope } = useSettings()
  const now = useContext(NowContext)
  const isDue = due_at !== null && Date.parse(due_at) > now
  return (
    <>
      <strong>{scope.kind === 'organisation' ? `${repo}, ${branch}` : branch}</strong>{' '}
      {state === 'unmet' && since !== null && (
        <>
          unmet since <Moment at={since} />:{' '}
        </>
      )}
      <Message text={summary} />
      {isDue && (
        <>
          ; due <Upcoming at={due_at} />
        </>
      )}
    </>
  )
}
