import type { KeyboardEvent } from 'react'
import type { Platform } from '../generated/core.ts'
import { useDispatch } from '../shell/react.tsx'
import type { KeyWith } from '../text/keys.ts'
import { pairWords } from '../text/pair.ts'
import { useText } from '../text/text.tsx'
import { Icon, type IconName } from '../ui/Icon.tsx'

interface Look {
  readonly icon: IconName
  readonly name: KeyWith<typeof pairWords>
  /** Suffix of the test id that hosts' tests look for: `tab-webapp`. */
  readonly label: string
}

const looks: Readonly<Record<Platform, Look>> = {
  browser: { icon: 'wallet', name: 'platformBrowser', label: 'browser' },
  mobile: { icon: 'phone', name: 'platformMobile', label: 'mobile' },
  desktop: { icon: 'screen', name: 'platformDesktop', label: 'desktop' },
  web: { icon: 'globe', name: 'platformWeb', label: 'webapp' },
  qrcode: { icon: 'qr', name: 'platformQr', label: 'qrcode' },
  unsupported: { icon: 'warning', name: 'platformUnsupported', label: 'unsupported' }
}

/** Icon and texts of a platform. Without a tab for phones, as on a desktop, the tab of the QR code has the texts of that tab. */
function lookOf(platform: Platform, all: readonly Platform[]): Look {
  return platform === 'qrcode' && !all.includes('mobile') ? { ...looks.mobile, icon: 'qr' } : looks[platform]
}

/** Tabs of the platforms on which this wallet can be reached. */
export function Platforms({ all, chosen }: { all: readonly Platform[]; chosen: Platform }) {
  const t = useText(pairWords)
  const dispatch = useDispatch()
  const choose = (platform: Platform) => dispatch({ feature: 'connect', event: { type: 'platformChosen', platform } })
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const forward = event.currentTarget.matches(':dir(rtl)') ? 'ArrowLeft' : 'ArrowRight'
    const step = event.key === forward ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowRight' ? -1 : 0
    const ends = { Home: all[0], End: all.at(-1) }[event.key]
    const next = ends ?? (step ? all[(all.indexOf(chosen) + step + all.length) % all.length] : undefined)
    if (!next) return
    event.preventDefault()
    choose(next)
    event.currentTarget.querySelector<HTMLElement>(`#way-${next}`)?.focus()
  }
  return (
    <div className="ways" role="tablist" aria-label={t('platforms')} onKeyDown={onKeyDown}>
      {all.map((platform) => {
        const { icon, name, label } = lookOf(platform, all)
        return (
          <button
            type="button"
            role="tab"
            key={platform}
            id={`way-${platform}`}
            data-testid={`tab-${label}`}
            aria-selected={platform === chosen}
            aria-controls="way"
            tabIndex={platform === chosen ? 0 : -1}
            onClick={() => choose(platform)}
          >
            <Icon name={icon} />
            <span>{t(name)}</span>
          </button>
        )
      })}
    </div>
  )
}
