import { useId, useState } from 'preact/hooks'
import { CAMPOS, FIELD_NAMES, type FieldName } from '../../../../src/domain/casos/campos.ts'
import { SO_DO_PRINCIPAL } from '../../../../src/domain/casos/duplicidades/situacao.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { isField, isHidden, valueIn } from '../../state/caso-campos.ts'
import { holds } from '../../state/session.ts'
import { duplicidadesTexts } from '../../state/texts/duplicidades.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CasoValor } from '../../ui/caso-valor.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Motive, motivoOf, Refusal } from './decide-dialog.tsx'
import { type Caso, type Linha, linhaOf, type ParAberto } from './par.ts'

export type Fusao = AnswerOf<'POST', '/api/v1/agravos/casos/{id}/fundir'>

/** Choices of the dialog, as the body of the request has them. */
export interface Escolhas {
  principal_id: number
  campos: Record<string, number>
  motivo?: string
}

interface MergeDialogProps {
  casos: ParAberto['casos']
  isIdentified: boolean
  /** Without a key: only tells what would happen. */
  merge(escolhas: Escolhas, idempotencyKey: string | null): Promise<Fusao>
  onDone(fusao: Fusao): void
  onReload(): void
  onClose(): void
}

/** Merge in two steps: choices, then all that will happen; only then it does. */
export function MergeDialog({ casos, isIdentified, merge, onDone, onReload, onClose }: MergeDialogProps) {
  const t = texts()
  const own = duplicidadesTexts()
  const [principal, setPrincipal] = useState(() => earlierOf(casos).id)
  const [campos, setCampos] = useState<Record<string, number>>({})
  const [motivo, setMotivo] = useState('')
  const [simulated, setSimulated] = useState<Fusao | null>(null)
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const escolhas = { principal_id: principal, campos, ...motivoOf(motivo) }
  const { form, isSending, error, setError, submit } = useSending(async () => {
    if (simulated === null) return setSimulated(await merge(escolhas, null))
    onDone(await merge(escolhas, idempotencyKey))
  })
  const back = () => {
    setSimulated(null)
    setError(null)
  }
  return (
    <Dialog title={own.merge.title} kind="conflict" onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        <Refusal error={error} onReload={onReload} />
        {simulated === null ? (
          <>
            <p class="sub">{own.merge.lead}</p>
            <Keep casos={casos} principal={principal} onChange={setPrincipal} />
            <Values
              casos={casos}
              isIdentified={isIdentified}
              principal={principal}
              campos={campos}
              onChange={setCampos}
            />
            <Motive value={motivo} onInput={setMotivo} />
          </>
        ) : (
          <Simulated fusao={simulated} casos={casos} isIdentified={isIdentified} />
        )}
        <div class="row">
          <Button onClick={simulated === null ? onClose : back}>
            {simulated === null ? t.app.cancel : own.merge.back}
          </Button>
          <Button type="submit" kind="primary" aria-disabled={isSending}>
            {isSending ? own.sending : simulated === null ? own.merge.simulate : own.merge.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const earlierOf = ([one, other]: readonly [Caso, Caso]) =>
  other.data_notificacao < one.data_notificacao ? other : one

interface KeepProps {
  casos: ParAberto['casos']
  principal: number
  onChange(id: number): void
}

function Keep({ casos, principal, onChange }: KeepProps) {
  const t = texts()
  const own = duplicidadesTexts()
  const name = useId()
  return (
    <fieldset class="conflict-row">
      <legend>{own.merge.keep}</legend>
      <div class="sides">
        {casos.map((caso) => (
          <label key={caso.id} class="side">
            <input
              type="radio"
              name={name}
              checked={principal === caso.id}
              onChange={() => onChange(caso.id)}
            />
            <span>
              <b>{own.caseOf(caso.numero_notificacao)}</b>
              <small>
                {own.notified(t.filtros.day(caso.data_notificacao.slice(0, 10)))}
                {caso === earlierOf(casos) && `, ${own.merge.earlier}`}
              </small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const LISTS = ['list-of', 'texts', 'locais']

/** Fields that both have, with different values that are seen; lists are united anyway. */
function choosable(casos: ParAberto['casos'], isIdentified: boolean): Linha[] {
  return FIELD_NAMES.filter((nome) => !SO_DO_PRINCIPAL.has(nome) && !LISTS.includes(CAMPOS[nome].kind))
    .filter((nome) => isIdentified || (nome !== 'paciente_nome' && !isHidden(nome)))
    .map((nome) => linhaOf(nome, casos, isIdentified))
    .filter((linha): linha is Linha => linha?.differs === true && linha.isInBoth)
}

interface ValuesProps extends Omit<KeepProps, 'onChange'> {
  isIdentified: boolean
  campos: Record<string, number>
  onChange(campos: Record<string, number>): void
}

function Values({ casos, isIdentified, principal, campos, onChange }: ValuesProps) {
  const own = duplicidadesTexts()
  const linhas = choosable(casos, isIdentified)
  return (
    <section class="merge-values" aria-label={own.merge.values}>
      <h3>{own.merge.values}</h3>
      <p class="note">{own.merge.valuesNote}</p>
      {!isIdentified && holds(['agravos.identificar']) && <p class="note">{own.merge.sealedNote}</p>}
      {linhas.length === 0 && <p>{own.merge.none}</p>}
      {linhas.map((linha) => (
        <Choice
          key={linha.nome}
          linha={linha}
          casos={casos}
          chosen={campos[linha.nome] ?? principal}
          onChoose={(id) => onChange({ ...campos, [linha.nome]: id })}
        />
      ))}
    </section>
  )
}

interface ChoiceProps {
  linha: Linha
  casos: ParAberto['casos']
  chosen: number
  onChoose(id: number): void
}

function Choice({ linha: { nome, values }, casos, chosen, onChoose }: ChoiceProps) {
  const name = useId()
  return (
    <fieldset class="conflict-row">
      <legend>{texts().campos[nome]}</legend>
      <div class="sides">
        {casos.map(({ id, numero_notificacao }, at) => (
          <label key={id} class="side">
            <input type="radio" name={name} checked={chosen === id} onChange={() => onChoose(id)} />
            <span>
              <small>{numero_notificacao}</small>
              <b>
                <CasoValor nome={nome} value={values[at]} />
              </b>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Names of fields as people know them. */
export const fieldsText = (nomes: readonly string[]) =>
  nomes.map((nome) => (isField(nome) ? texts().campos[nome] : nome)).join(', ')

interface SimulatedProps {
  fusao: Fusao
  casos: ParAberto['casos']
  isIdentified: boolean
}

function Simulated({ fusao, casos, isIdentified }: SimulatedProps) {
  const own = duplicidadesTexts().merge
  const numero = (id: number | null) => casos.find((caso) => caso.id === id)?.numero_notificacao ?? ''
  const absorvido = casos.find(({ id }) => id === fusao.absorvido_id)
  const changes = fusao.campos.filter(({ alterado, campo }) => alterado && isField(campo))
  return (
    <>
      <p>
        <b>{own.result(numero(fusao.principal_id), numero(fusao.absorvido_id))}</b>
      </p>
      {changes.length === 0 ? (
        <p>{own.nothingChanges}</p>
      ) : (
        <>
          <h3>{own.changes}</h3>
          <dl class="pairs one">
            {changes.map(({ campo, valor, origem }) => (
              <div key={campo}>
                <dt>
                  {fieldsText([campo])}{' '}
                  <span class="tag plain">
                    {origem === 'absorvido' ? own.fromOther : origem === 'ambos' ? own.fromBoth : own.derived}
                  </span>
                </dt>
                <dd>
                  <Result
                    nome={campo as FieldName}
                    // Of the case itself: it has names for codes, and what is sealed while it is shown.
                    value={
                      origem === 'absorvido' && absorvido ? valueIn(absorvido, campo as FieldName) : valor
                    }
                    isIdentified={isIdentified}
                  />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {fusao.deixados.length > 0 && <p class="notice info">{own.leftOut(fieldsText(fusao.deixados))}</p>}
    </>
  )
}

function Result({ nome, value, isIdentified }: { nome: FieldName; value: unknown; isIdentified: boolean }) {
  const isSealed = !isIdentified && (isHidden(nome) || nome === 'paciente_nome')
  if (isSealed) return <span>{duplicidadesTexts().merge.sealed}</span>
  return <CasoValor nome={nome} value={value} />
}
