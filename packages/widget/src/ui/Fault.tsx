import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'

/** What is wrong with a field, beside it. The region is always there, so that what comes into it is read out. */
export function Fault({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className="fault" id={id} role="status">
      {children && (
        <>
          <Icon name="warning" />
          <span>{children}</span>
        </>
      )}
    </p>
  )
}
