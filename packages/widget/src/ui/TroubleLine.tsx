import { Fault } from './form.tsx'

interface TroubleLineProps {
  /** Reason for which the payment would fail. */
  readonly trouble: string | null
  /** Words of a node or of a program about it. */
  readonly detail: string | null
}

/** Reason for which a payment would fail, above the button of its form. */
export function TroubleLine({ trouble, detail }: TroubleLineProps) {
  return (
    <Fault id="send-trouble">
      {trouble && (
        <>
          {trouble}
          {detail && <q dir="auto">{detail}</q>}
        </>
      )}
    </Fault>
  )
}
