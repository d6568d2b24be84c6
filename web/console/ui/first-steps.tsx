import { PATHS } from '../paths.ts'
import { holds } from '../state/session.ts'
import { firstTexts } from '../state/texts/first.ts'
import { isSandbox } from './environment.tsx'
import { Empty } from './states.tsx'

/** A service without cases: the ways to the first ones that this person may go. */
export default function FirstSteps() {
  const t = firstTexts()
  const mayImport = holds(['agravos.importar'])
  const mayCreate = holds(['agravos.criar'])
  return (
    <Empty text={mayImport || mayCreate ? t.lead : t.waiting}>
      <div class="row">
        {mayImport && (
          <a class="button primary" href={PATHS.importacaoNova}>
            {t.import}
          </a>
        )}
        {mayCreate && (
          <a class={mayImport ? 'button plain' : 'button primary'} href={PATHS.casoNovo}>
            {t.create}
          </a>
        )}
      </div>
      {isSandbox && holds(['admin']) && (
        <p class="note">
          {t.demo} <code>{DEMO}</code>
        </p>
      )}
    </Empty>
  )
}

const DEMO = 'npm run demo'
