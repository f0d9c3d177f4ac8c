import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

/** What is said where nothing can be shown. */
export function Empty({
  icon,
  title,
  hint,
  children
}: {
  icon: IconName
  title: string
  hint: string
  children?: ReactNode
}) {
  return (
    <div className="empty">
      <span className="medal">
        <Icon name={icon} />
      </span>
      <strong>{title}</strong>
      <p>{hint}</p>
      {children}
    </div>
  )
}
