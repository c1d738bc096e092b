import type { ApiKey } from '@floe/client'
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Moment, Upcoming } from '../components/moment.tsx'
import { NowContext } from '../hooks/now-context.ts'
import type { KeyCalls } from '../settings-scope.ts'
import { RevokeDialog } from './revoke-dialog.tsx'

type KeyRowProps = {
  readonly apiKey: ApiKey
  /** Name or id of the API key that created it; undefined when an operator created it. */
  readonly creator: string | undefined
  readonly keys: KeyCalls
  readonly onChange: () => void
  /** Called with the button before it disappears because the key was revoked. Must not change between renderings. */
  readonly beforeRemoval: (element: HTMLElement) => void
}

/** An API key with its state. A key that the configuration file declares cannot be revoked here. */
export function KeyRow({ apiKey, creator, keys, onChange, beforeRemoval }: KeyRowProps) {
  const { id, name, role, repos, declared, created_at, revoked_at } = apiKey
  return (
    <li class="record">
      <div class="identity">
        <h3>{name ?? 'Unnamed key'}</h3>
        <p class="address">
          <code>{id}</code>
        </p>
        <p class="scope">
          {role === 'admin' ? 'Administers' : 'Reads'} {repos === null ? 'all repositories' : repos.join(', ')}
        </p>
        <p class="tags">{declared && <span>declared in the configuration file</span>}</p>
      </div>
      <div class="state">
        <KeyState apiKey={apiKey} />
        <p>
          Created <Moment at={created_at} />
          {creator !== undefined && ` by ${creator}`}
        </p>
      </div>
      {revoked_at === null && !declared && (
        <RevokeAction apiKey={apiKey} keys={keys} onChange={onChange} beforeRemoval={beforeRemoval} />
      )}
    </li>
  )
}

/** Says whether a key is valid, and when it was last used. */
function KeyState({ apiKey: { revoked_at, expires_at, last_used_at } }: Pick<KeyRowProps, 'apiKey'>) {
  const now = useContext(NowContext)
  const isExpired = expires_at !== null && Date.parse(expires_at) <= now
  if (revoked_at !== null) {
    return (
      <>
        <Badge tone="off">Revoked</Badge>
        <p>
          <Moment at={revoked_at} />
        </p>
      </>
    )
  }
  return (
    <>
      <Badge tone={isExpired ? 'off' : 'good'}>{isExpired ? 'Expired' : 'Valid'}</Badge>
      {expires_at !== null && <p>{isExpired ? <Moment at={expires_at} /> : <Expiry at={expires_at} />}</p>}
      <p>{last_used_at === null ? 'Never used' : <LastUse at={last_used_at} />}</p>
    </>
  )
}

function Expiry({ at }: { readonly at: string }) {
  return (
    <>
      Expires <Upcoming at={at} />
    </>
  )
}

function LastUse({ at }: { readonly at: string }) {
  return (
    <>
      Last used <Moment at={at} />
    </>
  )
}

function RevokeAction({ apiKey, keys, onChange, beforeRemoval }: Omit<KeyRowProps, 'creator'>) {
  const [isOpen, setOpen] = useState(false)
  const actions = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = actions.current
    return () => {
      if (element) beforeRemoval(element)
    }
  }, [beforeRemoval])
  return (
    <div class="actions" ref={actions}>
      <Button tone="quiet" label={`Revoke ${apiKey.name ?? apiKey.id}`} onClick={() => setOpen(true)}>
        Revoke
      </Button>
      {isOpen && <RevokeDialog apiKey={apiKey} keys={keys} onChange={onChange} onClose={() => setOpen(false)} />}
    </div>
  )
}
