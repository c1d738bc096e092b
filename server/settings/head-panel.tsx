import type { WatchedRepository } from '@floe/client'
import { Badge } from './components/badge.tsx'
import { Button } from './components/button.tsx'
import { FailureNote } from './components/failure-note.tsx'
import { Moment } from './components/moment.tsx'
import { useNotify } from './components/notice-board.tsx'
import { useAction } from './hooks/use-action.ts'
import { useSettings } from './settings-context.ts'
import type { SettingsScope } from './settings-scope.ts'

type StateProps = { readonly repository: WatchedRepository }
type HeadPanelProps = StateProps & { readonly head: NonNullable<SettingsScope['head']> }

/** The head of `main`, when it was last checked, and a button that checks it now. */
export function HeadPanel({ head, repository }: HeadPanelProps) {
  const { refresh } = useSettings()
  const notify = useNotify()
  const { isBusy, error, run } = useAction()
  const check = () =>
    run(async () => {
      const { snapshot_id } = await head.check()
      const moved = repository.head === null ? 'The head is' : 'The head has moved to'
      notify(snapshot_id === repository.head ? 'The head has not moved.' : `${moved} ${snapshot_id}.`)
      refresh()
    })
  return (
    <section class="head" aria-label="Head of main">
      <div class="head-now">
        <p class="kind">Head of main</p>
        <p class="snapshot">{repository.head === null ? 'not read yet' : <code>{repository.head}</code>}</p>
        <LastCheck repository={repository} />
        <SearchIndex repository={repository} />
      </div>
      <dl class="facts">
        <dt>Location</dt>
        <dd>
          <code>{repository.location}</code>
        </dd>
        <dt>Format version</dt>
        <dd>{repository.format_version ?? 'not read yet'}</dd>
      </dl>
      <Button isBusy={isBusy} onClick={check}>
        {isBusy ? 'Checking…' : 'Check now'}
      </Button>
      <FailureNote error={error} />
    </section>
  )
}

function LastCheck({ repository: { last_checked_at, error } }: StateProps) {
  if (error !== null) return <Badge tone="bad">The last check failed: {error}</Badge>
  if (last_checked_at === null) return <p class="note">Checked regularly once there is a webhook or chat</p>
  return (
    <p class="note">
      Checked <Moment at={last_checked_at} />
    </p>
  )
}

function SearchIndex({ repository: { search_index } }: StateProps) {
  if (search_index?.error) return <Badge tone="bad">Not in the search index: {search_index.error}</Badge>
  return search_index?.is_pending ? <p class="note">Not in the search index yet</p> : null
}
