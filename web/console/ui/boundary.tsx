import { Component, type ComponentChildren } from 'preact'
import { texts } from '../state/texts.ts'
import { Button } from './button.tsx'

/** A screen that fails while it is drawn leaves menu and palette standing. */
export class Boundary extends Component<{ children: ComponentChildren }, { failed: boolean }> {
  override state = { failed: false }

  static override getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    const t = texts().states
    return (
      <div class="failure" role="alert">
        <h1>{t.errorTitle}</h1>
        <p>{t.unknown}</p>
        <Button icon="retry" onClick={() => location.reload()}>
          {t.reload}
        </Button>
      </div>
    )
  }
}
