import { sendWords } from '../text/send.ts'
import { useText } from '../text/text.tsx'
import { Icon } from './Icon.tsx'

interface WarningsProps<Warning extends string> {
  readonly warnings: readonly Warning[]
  readonly words: (warning: Warning) => string
  /** Warnings about a possible loss of the whole amount. */
  readonly grave: ReadonlySet<Warning>
  /** Address of an earlier payment that the receiver could be mistaken for. */
  readonly lookAlike: string | null
  /** Address of the receiver. */
  readonly receiver: string
  readonly still: boolean | undefined
}

/** Warnings to read before paying. While they can change, the live region always exists, so that screen readers announce a new one. */
export function Warnings<Warning extends string>({
  warnings,
  words,
  grave,
  lookAlike,
  receiver,
  still
}: WarningsProps<Warning>) {
  const t = useText(sendWords)
  return (
    <div className="warnings" role={still ? undefined : 'status'}>
      {warnings.map((warning) => (
        <p key={warning} className={grave.has(warning) ? 'warn grave' : 'warn'} data-testid={`send-warning-${warning}`}>
          <Icon name="warning" />
          <span>
            {words(warning)}
            {warning === 'lookAlike' && lookAlike && (
              <small>
                {t('warnPaidBefore', '').trim()} <Differing known={lookAlike} receiver={receiver} />
              </small>
            )}
          </span>
        </p>
      ))}
    </div>
  )
}

/** Address that was paid before; the characters in its middle that the receiver's address does not have stand out. */
function Differing({ known, receiver }: { known: string; receiver: string }) {
  // The case of a hexadecimal digit tells nothing.
  const [one, other] = known.startsWith('0x') ? [known.toLowerCase(), receiver.toLowerCase()] : [known, receiver]
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  let end = one.length
  while (end > start && one[end - 1] === other.at(end - 1 - one.length)) end--
  return (
    <bdi className="full" dir="ltr">
      {known.slice(0, start)}
      <b>{known.slice(start, end)}</b>
      {known.slice(end)}
    </bdi>
  )
}
