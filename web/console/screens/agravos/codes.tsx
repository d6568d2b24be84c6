import { useState } from 'preact/hooks'
import { valorWords } from '../../state/filter-words.ts'
import { slug } from '../../state/slug.ts'
import { agravosTexts } from '../../state/texts/agravos.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Words } from './basic.tsx'
import {
  CONHECIDOS,
  type CodigoPermitido,
  type Definicao,
  GRUPOS_DE,
  LISTAS,
  type ListaDeCodigos,
  type Problema,
  problemsAt,
} from './definicao-data.ts'

interface CodeListsProps {
  base: Definicao
  problemas: readonly Problema[]
  onChange(base: Definicao): void
}

/** Classifications, criteria and outcomes that a disease allows, with the codes of SINAN. */
export function CodeLists({ base, problemas, onChange }: CodeListsProps) {
  const own = agravosTexts().codes
  return (
    <section class="card form">
      <h2>{own.title}</h2>
      <p class="note">{own.lead}</p>
      {LISTAS.map((lista) => (
        <CodeList
          key={lista}
          lista={lista}
          codigos={base[lista]}
          classificacoes={base.classificacoes}
          problemas={problemas}
          onChange={(codigos) => onChange({ ...base, [lista]: codigos })}
        />
      ))}
    </section>
  )
}

/** An outcome may decide the classification. */
type Permitido = CodigoPermitido & { classificacao?: string }

interface CodeListProps {
  lista: ListaDeCodigos
  codigos: readonly Permitido[]
  classificacoes: readonly CodigoPermitido[]
  problemas: readonly Problema[]
  onChange(codigos: Permitido[]): void
}

function CodeList({ lista, codigos, classificacoes, problemas, onChange }: CodeListProps) {
  const t = texts()
  const own = agravosTexts().codes
  const nameOf = ({ codigo, rotulo }: CodigoPermitido) => rotulo ?? valorWords(codigo, t)
  const change = (place: number, part: Partial<Permitido>) =>
    onChange(codigos.map((one, at) => (at === place ? { ...one, ...part } : one)))
  const left = CONHECIDOS[lista].filter((codigo) => !codigos.some((one) => one.codigo === codigo))
  const told = problemsAt(problemas, lista)
  return (
    <fieldset class="plain">
      <legend>{own[lista]}</legend>
      {codigos.map((one, at) => (
        <div class="codigo" key={one.codigo}>
          <b>{nameOf(one)}</b>
          <small>{own.groups[one.grupo ?? ''] ?? ''}</small>
          <Words
            label={own.sinan}
            words={one.sinan}
            problem={problemsAt(problemas, `${lista}.${at}`)[0]}
            onWords={(sinan) => change(at, { sinan })}
          />
          {lista === 'evolucoes' && (
            <SelectField
              label={own.decides(nameOf(one))}
              value={one.classificacao ?? ''}
              options={[
                { value: '', label: own.decidesNothing },
                ...classificacoes.map((classe) => ({ value: classe.codigo, label: nameOf(classe) })),
              ]}
              onChange={(classificacao: string) =>
                onChange(codigos.map((code, i) => (i === at ? decided(code, classificacao) : code)))
              }
            />
          )}
          <Button
            kind="quiet"
            icon="close"
            aria-label={own.removeOf(nameOf(one))}
            onClick={() => onChange(codigos.filter((_, other) => other !== at))}
          >
            {''}
          </Button>
        </div>
      ))}
      {told[0] !== undefined && <p class="problem">{told[0]}</p>}
      <AddCode lista={lista} left={left} onAdd={(codigo) => onChange([...codigos, codigo])} />
    </fieldset>
  )
}

function decided({ classificacao: _, ...code }: Permitido, classificacao: string): Permitido {
  return classificacao === '' ? code : { ...code, classificacao }
}

const OTHER = '…'

interface AddCodeProps {
  lista: ListaDeCodigos
  left: readonly string[]
  onAdd(codigo: CodigoPermitido): void
}

/** A code that every disease knows, or a new one with its word and group. */
function AddCode({ lista, left, onAdd }: AddCodeProps) {
  const t = texts()
  const own = agravosTexts().codes
  const [isOther, setOther] = useState(false)
  const [rotulo, setRotulo] = useState('')
  const [grupo, setGrupo] = useState(GRUPOS_DE[lista][0] as string)
  const add = () => {
    const codigo = slug(rotulo, 60)
    if (codigo === '') return
    onAdd({ codigo, rotulo: rotulo.trim(), grupo, sinan: [] })
    setRotulo('')
    setOther(false)
  }
  if (!isOther)
    return (
      <SelectField
        label={own.addTo(own[lista])}
        value=""
        options={[
          { value: '', label: own.choose },
          ...left.map((value) => ({ value, label: valorWords(value, t) })),
          { value: OTHER, label: own.other },
        ]}
        onChange={(value: string) => {
          if (value === OTHER) setOther(true)
          else if (value !== '') onAdd({ codigo: value, sinan: [] })
        }}
      />
    )
  return (
    <div class="condicao">
      <Field label={own.label} value={rotulo} maxLength={200} onInput={setRotulo} isFirst />
      <SelectField
        label={own.group}
        value={grupo}
        options={GRUPOS_DE[lista].map((value) => ({ value, label: own.groups[value] ?? value }))}
        onChange={setGrupo}
      />
      <Button onClick={add}>{own.add}</Button>
      <Button kind="quiet" icon="close" aria-label={t.app.cancel} onClick={() => setOther(false)}>
        {''}
      </Button>
    </div>
  )
}
