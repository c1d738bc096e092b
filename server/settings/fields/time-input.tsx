type TimeInputProps = {
  readonly required?: boolean
  readonly value: string
  readonly onChange: (value: string) => void
}

/** An input for a date and time in the user's time zone. Further attributes go to the `<input>`. */
export function TimeInput({ onChange, ...attributes }: TimeInputProps) {
  return <input {...attributes} type="datetime-local" onInput={({ currentTarget }) => onChange(currentTarget.value)} />
}

/** Converts the value of a {@link TimeInput} to an ISO 8601 time in UTC. */
export function toInstant(localTime: string): string {
  return new Date(localTime).toISOString()
}
