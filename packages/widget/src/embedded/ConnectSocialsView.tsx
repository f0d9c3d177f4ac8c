import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useStyle } from '../theme/style.ts'
import { SocialRow } from '../ui/SocialRow.tsx'
import { socialCss } from '../ui/social.css.ts'

/** All social logins. */
export function ConnectSocialsView() {
  useStyle(socialCss)
  const dispatch = useDispatch()
  const offered = useSnapshot((snapshot) => snapshot.embedded.social.offered)
  const held = useSnapshot((snapshot) => snapshot.connect.consent === 'missing')
  return (
    <ul className="rows" data-testid="wui-list-social">
      {offered?.map((item) => (
        <li key={item.id}>
          <SocialRow
            item={item}
            name={item.name}
            heldBy={held ? 'consent' : undefined}
            onClick={() => dispatch({ feature: 'embedded', event: { type: 'socialChosen', social: item.id } })}
          />
        </li>
      ))}
    </ul>
  )
}
