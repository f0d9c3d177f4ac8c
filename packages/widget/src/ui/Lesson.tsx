import { Icon, type IconName } from './Icon.tsx'

/** List of short explanations, each with an icon. */
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
