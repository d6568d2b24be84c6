import { useState } from 'preact/hooks'
import type { ColunaDoLayout, LayoutDaDefinicao } from '../../../../src/domain/casos/agravos/definicao.ts'
import { agravosTexts } from '../../state/texts/agravos.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Pairs } from './basic.tsx'
import { CAMPOS_PADRAO, type Problema, partsOf, problemsAt } from './definicao-data.ts'

/** Ways of reading a cell, as `LEITURAS` of the service. */
const LEITURAS = [
  'texto',
  'data',
  'codigo',
  'padrao',
  'uf',
  'municipio',
  'anos',
  'inteiro',
] as const satisfies ColunaDoLayout['le'][]

interface LayoutsProps {
  layouts: readonly LayoutDaDefinicao[]
  proprios: readonly { nome: string; rotulo: string }[]
  problemas: readonly Problema[]
  onChange(layouts: LayoutDaDefinicao[]): void
}

/** Columns of files that are neither ours nor SINAN's. */
export function Layouts({ layouts, proprios, problemas, onChange }: LayoutsProps) {
  const own = agravosTexts().layouts
  const change = (place: number, part: Partial<LayoutDaDefinicao>) =>
    onChange(layouts.map((one, at) => (at === place ? { ...one, ...part } : one)))
  const empty: LayoutDaDefinicao = {
    ...{ nome: '', reconhecer: [], constantes: {}, substitutos: {} },
    colunas: [{ coluna: '', campo: '', le: 'texto' }],
  }
  return (
    <fieldset class="plain">
      <legend>{own.title}</legend>
      <p class="note">{own.lead}</p>
      {layouts.map((layout, at) => (
        <fieldset class="linha" key={at} aria-label={own.layout(at + 1)}>
          <Layout
            layout={layout}
            path={`layouts.${at}`}
            proprios={proprios}
            problemas={problemas}
            onChange={(part) => change(at, part)}
          />
          <div>
            <Button
              kind="quiet"
              icon="remove"
              aria-label={own.removeOf(layout.nome || own.layout(at + 1))}
              onClick={() => onChange(layouts.filter((_, other) => other !== at))}
            >
              {own.remove}
            </Button>
          </div>
        </fieldset>
      ))}
      <div>
        <Button icon="add" onClick={() => onChange([...layouts, empty])}>
          {own.add}
        </Button>
      </div>
    </fieldset>
  )
}

interface LayoutProps extends Omit<LayoutsProps, 'layouts' | 'onChange'> {
  layout: LayoutDaDefinicao
  path: string
  onChange(part: Partial<LayoutDaDefinicao>): void
}

function Layout({ layout, path, proprios, problemas, onChange }: LayoutProps) {
  const own = agravosTexts().layouts
  const [reconhecer, setReconhecer] = useState(layout.reconhecer.join('; '))
  const problemOf = (key: string) => problemsAt(problemas, `${path}.${key}`)[0]
  const { colunas } = layout
  const changeColuna = (place: number, coluna: ColunaDoLayout) =>
    onChange({ colunas: colunas.map((one, at) => (at === place ? coluna : one)) })
  return (
    <>
      <div class="grid">
        <Field
          label={own.nome}
          note={own.nomeNote}
          value={layout.nome}
          maxLength={40}
          problem={problemOf('nome')}
          onInput={(nome) => onChange({ nome })}
        />
        <Field
          label={own.reconhecer}
          note={own.reconhecerNote}
          value={reconhecer}
          problem={problemOf('reconhecer')}
          onInput={(text) => {
            setReconhecer(text)
            onChange({ reconhecer: partsOf(text) })
          }}
        />
        <Pairs
          label={own.constantes}
          note={own.constantesNote}
          pairs={layout.constantes}
          problem={problemOf('constantes')}
          onPairs={(constantes) => onChange({ constantes })}
        />
        <Pairs
          label={own.substitutos}
          note={own.substitutosNote}
          pairs={layout.substitutos}
          problem={problemOf('substitutos')}
          onPairs={(substitutos) => onChange({ substitutos })}
        />
      </div>
      <h3>{own.colunas}</h3>
      {colunas.map((coluna, at) => (
        <Coluna
          key={at}
          place={at + 1}
          coluna={coluna}
          proprios={proprios}
          problem={problemsAt(problemas, `${path}.colunas.${at}`)[0]}
          onChange={(next) => changeColuna(at, next)}
          onRemove={() => onChange({ colunas: colunas.filter((_, other) => other !== at) })}
        />
      ))}
      {problemsAt(problemas, `${path}.colunas`)[0] !== undefined && colunas.length === 0 && (
        <p class="problem">{problemOf('colunas')}</p>
      )}
      <div>
        <Button
          icon="add"
          onClick={() => onChange({ colunas: [...colunas, { coluna: '', campo: '', le: 'texto' }] })}
        >
          {own.addColuna}
        </Button>
      </div>
    </>
  )
}

interface ColunaProps {
  place: number
  coluna: ColunaDoLayout
  proprios: LayoutsProps['proprios']
  problem: string | undefined
  onChange(coluna: ColunaDoLayout): void
  onRemove(): void
}

/** A column of the file and the field that it fills. */
function Coluna({ place, coluna, proprios, problem, onChange, onRemove }: ColunaProps) {
  const t = texts()
  const own = agravosTexts().layouts
  const known = [
    ...CAMPOS_PADRAO.map(({ nome }) => ({ value: nome as string, label: t.campos[nome] })),
    ...proprios.map(({ nome, rotulo }) => ({ value: nome, label: rotulo || nome })),
  ]
  const isKnown = coluna.campo === '' || known.some(({ value }) => value === coluna.campo)
  const setLe = (le: ColunaDoLayout['le']) => {
    const { codigos: _1, prefixo: _2, ...rest } = coluna
    onChange({ ...rest, le, ...(le === 'codigo' && { codigos: coluna.codigos ?? {} }) })
  }
  return (
    <fieldset class="condicao" aria-label={own.coluna(place)}>
      <Field
        label={own.nomeDaColuna}
        value={coluna.coluna}
        maxLength={100}
        problem={problem}
        onInput={(text) => onChange({ ...coluna, coluna: text })}
      />
      <SelectField
        label={own.campo}
        value={coluna.campo}
        options={[
          { value: '', label: own.choose },
          ...(isKnown ? [] : [{ value: coluna.campo, label: coluna.campo }]),
          ...known,
        ]}
        onChange={(campo: string) => onChange({ ...coluna, campo })}
      />
      <SelectField
        label={own.le}
        value={coluna.le}
        options={LEITURAS.map((value) => ({ value, label: own.leituras[value] }))}
        onChange={setLe}
      />
      {coluna.le === 'codigo' && (
        <Pairs
          label={own.codigos}
          note={own.codigosNote}
          pairs={coluna.codigos ?? {}}
          onPairs={(codigos) => onChange({ ...coluna, codigos })}
        />
      )}
      {coluna.le === 'texto' && (
        <Field
          label={own.prefixo}
          value={coluna.prefixo ?? ''}
          maxLength={20}
          onInput={(text) => {
            const { prefixo: _, ...rest } = coluna
            onChange(text === '' ? rest : { ...rest, prefixo: text })
          }}
        />
      )}
      <Button kind="quiet" icon="close" aria-label={own.removeColuna(place)} onClick={onRemove}>
        {''}
      </Button>
    </fieldset>
  )
}
