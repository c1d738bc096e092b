type TimeInputProps = {
  readonly required?: boolean
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A local time. Further attributes go to the control. */
export function TimeInput({ onChange, ...attributes }: TimeInputProps) {
  return <input {...attributes} type="datetime-local" onInput={({ currentTarget }) => onChange(currentTarget.value)} />
}

export function toInstant(localTime: string): string {
  return new Date(localTime).toISOString()
}
