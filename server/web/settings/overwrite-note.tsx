import type { FormValues } from './form-values.ts'

const labels: Readonly<Record<keyof FormValues, string>> = {
  url: 'the address',
  alias: 'the name',
  service: 'the kind of chat',
  token: 'the secret token',
  secretToken: 'the secret token',
}

/** Says that somebody else was faster, and what saving again would do to their version. */
export function OverwriteNote({ overwritten }: { readonly overwritten: readonly (keyof FormValues)[] | undefined }) {
  const places = [...new Set(overwritten?.map((name) => labels[name]))]
  return (
    <div role="alert">
      {overwritten && (
        <p class="failure">
          Somebody else has changed this meanwhile. What you typed is kept, everything else shows the new version.{' '}
          {places.length > 0 && <>Saving again overwrites {places.join(' and ')}.</>}
        </p>
      )}
    </div>
  )
}
