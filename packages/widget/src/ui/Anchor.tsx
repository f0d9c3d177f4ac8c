import type { AnchorHTMLAttributes } from 'react'
import { mayOpen } from '../link.ts'

/** Link out of the page. An address that may not be opened leads nowhere. */
export function Anchor({ href = '', children, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <a {...rest} href={mayOpen(href) ? href : undefined}>
      {children}
    </a>
  )
}
