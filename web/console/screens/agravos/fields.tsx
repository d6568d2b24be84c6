import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { agravosTexts } from '../../state/texts/agravos.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import {
  type CampoPadrao,
  type CampoProprio,
  isPropria,
  type Linha,
  type LinhaPropria,
  type Mudanca,
  novaLinha,
  type Problema,
  problemsAt,
  readOpcoes,
  TIPOS,
  withRotulo,
  withTipo,
} from './definicao-data.ts'
import { FieldDetails } from './field-details.tsx'

interface FieldsProps {
  linhas: readonly Linha[]
  problemas: readonly Problema[]
  onChange(linhas: Linha[]): void
}

/** Own fields, a row each. Enter goes to the next row, which is made where there is none; Alt and arrows move a row. */
export function Fields({ linhas, problemas, onChange }: FieldsProps) {
  const own = agravosTexts().campos
  const list = useRef<HTMLOListElement>(null)
  const grupos = useId()
  /** Row whose first field is to take the focus. */
  const [wanted, setWanted] = useState<number | null>(null)
  // At once: the next key belongs to it.
  useLayoutEffect(() => {
    if (wanted === null) return
    list.current?.querySelector<HTMLElement>(`[data-linha="${wanted}"] input`)?.focus()
    setWanted(null)
  }, [wanted])
  const groupAt = (place: number) => {
    const before = linhas.slice(0, place + 1).findLast(isPropria)
    return before?.campo.grupo ?? ''
  }
  const addAfter = (place: number) => {
    const linha = novaLinha(groupAt(place))
    onChange(linhas.toSpliced(place + 1, 0, linha))
    setWanted(linha.key)
  }
  const move = (place: number, by: number) => {
    const linha = linhas[place]
    const to = place + by
    if (linha === undefined || to < 0 || to >= linhas.length) return
    onChange(linhas.toSpliced(place, 1).toSpliced(to, 0, linha))
    setWanted(linha.key)
  }
  const put = (place: number, linha: Linha) => onChange(linhas.toSpliced(place, 1, linha))
  const remove = (place: number, linha: Linha) => {
    if (linha.isStored && isPropria(linha))
      return put(place, { ...linha, campo: { ...linha.campo, ativo: !linha.campo.ativo } })
    onChange(linhas.toSpliced(place, 1))
    setWanted(linhas[place + 1]?.key ?? linhas[place - 1]?.key ?? null)
  }
  const onKeyDown = (event: KeyboardEvent, place: number) => {
    const target = event.target as HTMLElement
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault()
      move(place, event.key === 'ArrowUp' ? -1 : 1)
    } else if (event.key === 'Enter' && target.matches('input:not([type=checkbox]), select')) {
      event.preventDefault()
      addAfter(place)
    }
  }
  const headings = [...new Set(linhas.filter(isPropria).map(({ campo }) => campo.grupo))].filter(Boolean)
  return (
    <section class="card form">
      <h2>{own.title}</h2>
      <p class="note">{own.keys}</p>
      <datalist id={grupos}>
        {headings.map((grupo) => (
          <option key={grupo} value={grupo} />
        ))}
      </datalist>
      <ol class="linhas" ref={list}>
        {linhas.map((linha, place) => (
          <li
            key={linha.key}
            data-linha={linha.key}
            class={isPropria(linha) && !linha.campo.ativo ? 'linha retired' : 'linha'}
            onKeyDown={(event) => onKeyDown(event, place)}
          >
            {isPropria(linha) ? (
              <Row
                linha={linha}
                place={place}
                before={linhas.slice(0, place).filter(isPropria)}
                grupos={grupos}
                problemas={problemas}
                onChange={(next) => put(place, next)}
                onMove={(by) => move(place, by)}
                onRemove={() => remove(place, linha)}
              />
            ) : (
              <Standard campo={linha.campo as CampoPadrao} onRemove={() => remove(place, linha)} />
            )}
          </li>
        ))}
      </ol>
      {linhas.length === 0 && <p class="note">{own.none}</p>}
      <div class="row start">
        <Button icon="add" onClick={() => addAfter(linhas.length - 1)}>
          {own.add}
        </Button>
      </div>
    </section>
  )
}

/** A standard field that the definition names; its words are the console's. */
function Standard({ campo: { padrao, rotulo }, onRemove }: { campo: CampoPadrao; onRemove(): void }) {
  const own = agravosTexts().campos
  const nome = rotulo ?? (texts().campos as Record<string, string>)[padrao] ?? padrao
  return (
    <div class="row">
      <span>{own.standard(nome)}</span>
      <Button kind="quiet" icon="close" aria-label={own.remove(nome)} onClick={onRemove}>
        {''}
      </Button>
    </div>
  )
}

interface RowProps {
  linha: LinhaPropria
  place: number
  /** Own fields earlier in the list. */
  before: readonly LinhaPropria[]
  grupos: string
  problemas: readonly Problema[]
  onChange(linha: LinhaPropria): void
  onMove(by: number): void
  onRemove(): void
}

function Row({ linha, place, before, grupos, problemas, onChange, onMove, onRemove }: RowProps) {
  const own = agravosTexts().campos
  const [isOpen, setOpen] = useState(false)
  const { campo, isStored } = linha
  const set = (part: Mudanca) => onChange({ ...linha, campo: { ...campo, ...part } as CampoProprio })
  const path = `campos.${place}`
  const told = problemsAt(problemas, path)
  const nome = campo.rotulo.trim() || own.unnamed(place + 1)
  return (
    <fieldset class="plain">
      <legend class="unseen">{own.row(place + 1)}</legend>
      <div class="linha-main">
        <Field
          label={own.rotulo}
          value={campo.rotulo}
          maxLength={200}
          onInput={(rotulo) => onChange({ ...linha, campo: withRotulo(linha, rotulo) })}
          problem={problemsAt(problemas, `${path}.rotulo`)[0]}
        />
        {isStored ? (
          <Field label={own.tipo} value={own.tipos[campo.tipo]} onInput={() => undefined} />
        ) : (
          <SelectField
            label={own.tipo}
            value={campo.tipo}
            options={TIPOS.map((value) => ({ value, label: own.tipos[value] }))}
            onChange={(tipo) => onChange({ ...linha, campo: withTipo(campo, tipo) })}
          />
        )}
        <GroupField value={campo.grupo} list={grupos} onInput={(grupo) => set({ grupo })} />
        <Limits linha={linha} onChange={onChange} />
        <div class="linha-buttons">
          <Button kind="quiet" aria-label={own.up(nome)} onClick={() => onMove(-1)}>
            ↑
          </Button>
          <Button kind="quiet" aria-label={own.down(nome)} onClick={() => onMove(1)}>
            ↓
          </Button>
          <Button
            kind="quiet"
            icon="more"
            aria-label={own.more(nome)}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {''}
          </Button>
          <Button
            kind="quiet"
            icon={campo.ativo ? 'close' : 'undo'}
            aria-label={campo.ativo ? own.remove(nome) : own.restore(nome)}
            onClick={onRemove}
          >
            {''}
          </Button>
        </div>
      </div>
      {!campo.ativo && <span class="tag amber">{own.retired}</span>}
      {told.map((text) => (
        <p class="problem" key={text}>
          {text}
        </p>
      ))}
      {isOpen && <FieldDetails linha={linha} before={before} onChange={set} />}
    </fieldset>
  )
}

interface GroupFieldProps {
  value: string
  list: string
  onInput(value: string): void
}

/** Heading of the form, with those that other rows have as suggestions. */
function GroupField({ value, list, onInput }: GroupFieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{agravosTexts().campos.grupo}</label>
      <input
        id={id}
        class="input"
        list={list}
        maxLength={60}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  )
}

/** Options of a choice, range of a number; nothing of other kinds. */
function Limits({ linha, onChange }: { linha: LinhaPropria; onChange(linha: LinhaPropria): void }) {
  const own = agravosTexts().campos
  const id = useId()
  const { campo, isStored } = linha
  if (campo.tipo === 'opcao' || campo.tipo === 'opcoes')
    return (
      <div class="field">
        <label for={id}>{own.opcoes}</label>
        <input
          id={id}
          class="input"
          placeholder={own.opcoesPlaceholder}
          value={linha.opcoes}
          onInput={({ currentTarget: { value } }) =>
            onChange({
              ...linha,
              opcoes: value,
              campo: { ...campo, opcoes: readOpcoes(value, campo.opcoes, isStored) },
            })
          }
        />
      </div>
    )
  if (campo.tipo !== 'inteiro' && campo.tipo !== 'numero') return <span />
  return (
    <div class="two">
      {(['minimo', 'maximo'] as const).map((limit) => (
        <NumberField
          key={limit}
          label={own[limit]}
          value={campo[limit]}
          onNumber={(value) => onChange({ ...linha, campo: { ...campo, [limit]: value } })}
        />
      ))}
    </div>
  )
}

interface NumberFieldProps {
  label: string
  value: number | undefined
  onNumber(value: number): void
}

/** A number; the text stays as it is typed, what is none changes nothing. */
export function NumberField({ label, value, onNumber }: NumberFieldProps) {
  const [text, setText] = useState(value === undefined ? '' : String(value))
  return (
    <Field
      label={label}
      value={text}
      onInput={(next) => {
        setText(next)
        const read = Number(next.replace(',', '.'))
        if (next.trim() !== '' && Number.isFinite(read)) onNumber(read)
      }}
    />
  )
}
