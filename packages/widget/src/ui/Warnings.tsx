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
  readonly still: boolean | undefined
}

/** Warnings to read before paying. While they can change, the live region always exists, so that screen readers announce a new one. */
export function Warnings<Warning extends string>({ warnings, words, grave, lookAlike, still }: WarningsProps<Warning>) {
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
                {t('warnPaidBefore', '').trim()} <bdi className="full">{lookAlike}</bdi>
              </small>
            )}
          </span>
        </p>
      ))}
    </div>
  )
}
