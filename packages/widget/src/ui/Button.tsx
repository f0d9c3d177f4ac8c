import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

type Common = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'type'> & { readonly 'data-testid'?: string }

type ButtonProps = Common & {
  readonly kind?: 'primary' | 'soft' | 'plain' | 'danger'
  readonly icon?: IconName | undefined
  readonly busy?: boolean | undefined
  readonly type?: 'submit'
  readonly children: ReactNode
}

/** A button with words. A busy one says so and cannot be pressed, but keeps the focus. */
export function Button({ kind = 'soft', icon, busy, onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={`button ${kind}`}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : onClick}
      {...rest}
    >
      {busy ? <span className="spinner" /> : icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  )
}

/** A button that is only a picture; the label is its name and its tooltip. */
export function IconButton({ icon, label, ...rest }: Common & { readonly icon: IconName; readonly label: string }) {
  return (
    <button type="button" className="round" aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  )
}

/** A link that looks like a button. It leaves the page alone and tells nobody where the visitor came from. */
export function LinkButton({ href, icon, children }: { href: string; icon: IconName; children: ReactNode }) {
  return (
    <a className="button soft" href={href} target="_blank" rel="noreferrer">
      <Icon name={icon} />
      <span>{children}</span>
    </a>
  )
}
