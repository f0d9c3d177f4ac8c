import { Icon, type IconName } from './Icon.tsx'

/** A few things worth knowing, each with a picture. */
export function Lesson({ items }: { items: readonly { icon: IconName; title: string; text: string }[] }) {
  return (
    <dl className="lesson">
      {items.map(({ icon, title, text }) => (
        <div key={title}>
          <dt>
            <span className="medal">
              <Icon name={icon} />
            </span>
            {title}
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
