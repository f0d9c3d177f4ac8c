import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Anchor } from './Anchor.tsx'
import { Icon, type IconName } from './Icon.tsx'

type Common = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'type'> & { readonly 'data-testid'?: string }

type ButtonProps = Common & {
  readonly kind?: 'primary' | 'soft' | 'plain' | 'grave'
  readonly icon?: IconName | undefined
  readonly busy?: boolean | undefined
  readonly resting?: boolean
  /** Whether something is missing: it looks disabled, and pressing it tells what. */
  readonly lacking?: boolean
  readonly type?: 'submit'
  readonly children: ReactNode
}

/** Text button. A busy one shows that. It and a resting one cannot be pressed, but keep the focus. */
export function Button({ kind = 'soft', icon, busy, resting, lacking, onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={`button ${kind}${lacking ? ' lacks' : ''}`}
      aria-busy={busy || undefined}
      aria-disabled={busy || resting || undefined}
      onClick={busy || resting ? undefined : onClick}
      {...rest}
    >
      {busy ? <span className="spinner" /> : icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  )
}

/** Icon button; the label is its accessible name and tooltip. */
export function IconButton({ icon, label, ...rest }: Common & { readonly icon: IconName; readonly label: string }) {
  return (
    <button type="button" className="round" aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  )
}

/** Link that looks like a button. It opens a new tab and sends no referrer. */
export function LinkButton({ href, icon, children }: { href: string; icon: IconName; children: ReactNode }) {
  return (
    <Anchor className="button soft" href={href} target="_blank" rel="noreferrer">
      <Icon name={icon} />
      <span>{children}</span>
    </Anchor>
  )
}
