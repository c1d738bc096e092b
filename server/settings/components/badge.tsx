import type { ComponentChildren } from 'preact'

export type Tone = 'good' | 'bad' | 'waiting' | 'off'

/** A state in words, with a symbol whose shape and colour mean the same. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return (
    <span class={`badge ${tone}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={shapes[tone]} />
      </svg>
      <span>{children}</span>
    </span>
  )
}

const shapes: Readonly<Record<Tone, string>> = {
  good: 'M6 1.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9z',
  bad: 'M6 1l5.2 9.6H.8z',
  waiting: 'M6 1.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9zM6 3.5a2.5 2.5 0 1 1 0 5a2.5 2.5 0 1 1 0-5z',
  off: 'M1.5 4.75h9v2.5h-9z',
}
