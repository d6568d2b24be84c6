import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { valorWords } from '../../state/filter-words.ts'
import { alertasTexts } from '../../state/texts/alertas.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Answer } from '../../ui/states.tsx'
import { outdateRegras, type Regra, regrasQuery, shownOf } from './rule.ts'
import { RuleForm } from './rule-form.tsx'
import '../../ui/gestao.ts'

/** Rules of all diseases with alerts; one of them is opened to be changed. */
export function RulesDialog({ onClose }: { onClose(): void }) {
  const t = texts()
  const own = alertasTexts().rules
  const [open, setOpen] = useState<Regra | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const query = useQuery(regrasQuery())
  if (open !== null)
    return (
      <RuleForm
        regra={open}
        onDone={() => {
          setDone(own.done(valorWords(open.tipo_agravo, t)))
          setOpen(null)
          void outdateRegras()
        }}
        onClose={() => setOpen(null)}
      />
    )
  return (
    <Dialog title={own.title} kind="broad" onClose={onClose}>
      <p>{own.lead}</p>
      {done !== null && <Notice kind="done" text={done} />}
      <Answer query={query} lines={6}>
        {(regras) => (
          <ul class="history">
            {regras.map((regra) => (
              <Rule key={regra.tipo_agravo} regra={regra} onOpen={() => setOpen(regra)} />
            ))}
          </ul>
        )}
      </Answer>
      <div class="row">
        <Button onClick={onClose}>{t.app.close}</Button>
      </div>
    </Dialog>
  )
}

function Rule({ regra, onOpen }: { regra: Regra; onOpen(): void }) {
  const own = alertasTexts().rules
  const agravo = valorWords(regra.tipo_agravo, texts())
  const { versao, casos_amarelo, casos_laranja, casos_vermelho } = regra
  return (
    <li class="row between">
      <div>
        <b>{agravo}</b> <small>{own.version(versao)}</small>
        <br />
        <small>
          {own.summary(casos_amarelo, casos_laranja, casos_vermelho)}{' '}
          {own.growth(shownOf('p_crescimento', regra.p_crescimento))}
        </small>
      </div>
      <Button aria-label={own.changeOf(agravo)} onClick={onOpen}>
        {own.change}
      </Button>
    </li>
  )
}
