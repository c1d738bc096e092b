import type { Expectation, Receiver } from '@floe/client'
import { useContext } from 'preact/hooks'
import { Badge } from '../components/badge.tsx'
import { Message } from '../components/message.tsx'
import { Moment, Upcoming } from '../components/moment.tsx'
import { NowContext } from '../hooks/now-context.ts'
import { DeleteDialog } from '../records/delete-dialog.tsx'
import { type OpenDialog, RecordRow } from '../records/record-row.tsx'
import { useSettings } from '../settings-context.ts'
import { describeExpectation, findForm, nameExpectation } from './describe-expectation.ts'
import { ExpectationForm } from './expectation-form.tsx'
import { listTellable, TellDialog } from './tell-dialog.tsx'

type ExpectationRowProps = { readonly expectation: Expectation; readonly receivers: readonly Receiver[] }

/** An expectation with the states of its branches. */
export function ExpectationRow({ expectation, receivers }: ExpectationRowProps) {
  const { id, kind, alias, declared, repos, told } = expectation
  const chats = listTellable(receivers)
  const { scope } = useSettings()
  const calls = scope.expectations
  const name = nameExpectation(expectation)
  const isForeign = repos !== null && scope.kind === 'repository'
  const canChange = !declared && !isForeign
  const edit = async (): Promise<OpenDialog> => {
    const initial = await calls.get({ id })
    return (onClose) => <ExpectationForm initial={initial} onClose={onClose} />
  }
  const remove = (): OpenDialog => (onClose) => (
    <DeleteDialog
      name={`the expectation ${name}`}
      subject={`The expectation ${name}`}
      onDelete={() => calls.delete({ id })}
      onClose={onClose}
    >
      Nobody is told any more when a branch does not meet it. For each branch that does not meet it now, the event
      ExpectationMet is sent.
    </DeleteDialog>
  )
  const tell = (): OpenDialog => (onClose) => <TellDialog expectation={expectation} chats={chats} onClose={onClose} />
  return (
    <RecordRow
      name={`the expectation ${name}`}
      title={alias ?? findForm(kind).title}
      scope={describeExpectation(expectation, scope.kind)}
      tags={[declared ? 'declared in the configuration file' : isForeign && 'of the organisation']}
      state={<States {...expectation} />}
      actions={[
        !told && chats.length > 0 && { text: 'Tell a chat', run: tell },
        canChange && { text: 'Edit', run: edit },
        canChange && { text: 'Delete', run: remove },
      ]}
    />
  )
}

/** Maximum number of branches that a row lists. */
const maxListed = 10

/** Says of how many branches it is met, and of each what is known. */
function States({ states, unmet, told }: Expectation) {
  const isUnknown = states.some(({ state }) => state === 'unknown')
  const left = states.length - maxListed
  return (
    <>
      {unmet > 0 ? (
        <Badge tone="bad">{states.length === 1 ? 'Unmet' : `Unmet by ${unmet.toLocaleString('en')}`}</Badge>
      ) : states.length === 0 ? (
        <Badge tone="waiting">No branch yet</Badge>
      ) : (
        <Badge tone={isUnknown ? 'waiting' : 'good'}>{isUnknown ? 'Unknown' : 'Met'}</Badge>
      )}
      {!told && <p class="failure">Nobody is told: no webhook or chat selects these events.</p>}
      <ul class="breaks">
        {states.slice(0, maxListed).map((state) => (
          <li key={`${state.repo} ${state.branch}`}>
            <BranchState {...state} />
          </li>
        ))}
        {left > 0 && <li>and {left} more</li>}
      </ul>
    </>
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
