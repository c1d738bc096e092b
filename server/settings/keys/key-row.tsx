import type { ApiKey } from '@floe/client'
import { useContext } from 'preact/hooks'
import { Badge } from '../components/badge.tsx'
import { Moment, Upcoming } from '../components/moment.tsx'
import { NowContext } from '../hooks/now-context.ts'
import { RecordRow } from '../records/record-row.tsx'
import type { KeyCalls } from '../settings-scope.ts'
import { RevokeDialog } from './revoke-dialog.tsx'

type KeyRowProps = {
  readonly apiKey: ApiKey
  /** Name or id of the API key that created it; undefined when an operator created it. */
  readonly creator: string | undefined
  readonly keys: KeyCalls
  readonly onChange: () => void
}

/** An API key with its state. A key that the configuration file declares cannot be revoked here. */
export function KeyRow({ apiKey, creator, keys, onChange }: KeyRowProps) {
  const { id, name, role, repos, declared, created_at, revoked_at } = apiKey
  const revoke = () => (onClose: () => void) => (
    <RevokeDialog apiKey={apiKey} keys={keys} onChange={onChange} onClose={onClose} />
  )
  return (
    <RecordRow
      name={name ?? id}
      title={name ?? 'Unnamed key'}
      address={id}
      scope={`${role === 'admin' ? 'Administers' : 'Reads'} ${repos === null ? 'all repositories' : repos.join(', ')}`}
      tags={[declared && 'declared in the configuration file']}
      state={
        <>
          <KeyState {...apiKey} />
          <p>
            Created <Moment at={created_at} />
            {creator !== undefined && ` by ${creator}`}
          </p>
        </>
      }
      actions={[revoked_at === null && !declared && { text: 'Revoke', run: revoke }]}
    />
  )
}

/** Says whether a key is valid, and when it was last used. */
function KeyState({ revoked_at, expires_at, last_used_at }: ApiKey) {
  const now = useContext(NowContext)
  const isExpired = expires_at !== null && Date.parse(expires_at) <= now
  const endedAt = revoked_at ?? (isExpired ? expires_at : null)
  return (
    <>
      <Badge tone={endedAt === null ? 'good' : 'off'}>
        {revoked_at !== null ? 'Revoked' : isExpired ? 'Expired' : 'Valid'}
      </Badge>
      {endedAt !== null && (
        <p>
          <Moment at={endedAt} />
        </p>
      )}
      {endedAt === null && expires_at !== null && (
        <p>
          Expires <Upcoming at={expires_at} />
        </p>
      )}
      {revoked_at === null && (
        <p>
          {last_used_at === null ? (
            'Never used'
          ) : (
            <>
              Last used <Moment at={last_used_at} />
            </>
          )}
        </p>
      )}
    </>
  )
}
