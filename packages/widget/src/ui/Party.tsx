import type { ReactNode } from 'react'

interface PartyProps {
  /** "From" or "To". */
  readonly name: string
  /** Name or shortened address. */
  readonly short: string | null | undefined
  /** The whole address, to compare it in place. */
  readonly full?: string
  /** Button that copies the whole address. */
  readonly copy?: ReactNode
  /** Picture of the address. */
  readonly children: ReactNode
}

/** Who pays or is paid, in the review of a payment. */
export function Party({ name, short, full, copy, children }: PartyProps) {
  return (
    <div className="field party">
      <small>{name}</small>
      {children}
      <span className="copies">
        <strong title={full}>
          <bdi className="clip">{short}</bdi>
        </strong>
        {copy}
      </span>
      {full && <FullAddress address={full} />}
    </div>
  )
}

/** The whole address below its shortened form. */
export function FullAddress({ address }: { address: string }) {
  return (
    <bdi className="full" dir="ltr">
      {address}
    </bdi>
  )
}
