import type { ComponentProps } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from './button.tsx'

interface ActButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'sends'> {
  /** Tells its own failure. */
  act(): Promise<void>
}

/** A button that sends at once, without a form: one act at a time, as another click on a slow connection would send it again. */
export function ActButton({ act, ...rest }: ActButtonProps) {
  const [isActing, setActing] = useState(false)
  const run = async () => {
    if (isActing) return
    setActing(true)
    await act()
    setActing(false)
  }
  return <Button {...rest} sends aria-disabled={isActing} onClick={() => void run()} />
}
