import { type ReactNode, useId } from 'react'

export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** List of facts. Each value has a test id, because tests of a host read them. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, testId: string, value: unknown])[] }) {
  return (
    <dl className="facts">
      {facts.map(([label, testId, value]) => (
        <div key={testId}>
          <dt>{label}</dt>
          <dd data-testid={testId}>{value === undefined || value === null || value === '' ? '–' : String(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
