import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

/** Placeholder for an empty list or a failure, with title and hint. */
export function Empty({
  icon,
  title,
  hint,
  testid = 'empty-template',
  children
}: {
  icon: IconName
  title: string
  hint: string
  testid?: string
  children?: ReactNode
}) {
  return (
    <div className="empty" data-testid={testid}>
      <span className="medal">
        <Icon name={icon} />
      </span>
      <strong data-testid="empty-state-text">{title}</strong>
      <p data-testid="empty-state-description">{hint}</p>
      {children}
    </div>
  )
}
