import { Icon, type IconName } from './icon.tsx'
import { Kept } from './kept.tsx'

/** An entry of the menu; only those that the person may open are given. */
export interface MenuEntry {
  path: string
  /** Target; with the person's own start, where there is one. */
  href: string
  title: string
  icon: IconName
  /** After `g`. */
  key: string
}

/** A screen that stands in no menu. */
export type BesideMenu = Pick<MenuEntry, 'href' | 'title' | 'icon'>

export function MenuLink({
  entry: { href, title, icon },
  isCurrent,
}: {
  entry: MenuEntry
  isCurrent: boolean
}) {
  return (
    <Kept on={[href, title, icon, isCurrent]}>
      {() => (
        <a href={href} aria-current={isCurrent ? 'page' : undefined} title={title}>
          <Icon name={icon} />
          <span>{title}</span>
        </a>
      )}
    </Kept>
  )
}
