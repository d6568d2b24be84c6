import { useId } from 'preact/hooks'
import { PERIODOS } from '../../../../src/domain/series/periodos.ts'
import {
  AGREGA_LUGAR,
  AGREGA_TEMPO,
  DOMINIOS,
  MOST_CATEGORIAS,
  MOST_LIMIARES,
  OPERADORES,
  TEMAS,
  TIPOS_DE_VALOR,
} from '../../../../src/domain/series/serie.ts'
import { seriesTexts } from '../../state/texts/series.ts'
import { Check, Field } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { BASES, type BaseName, type Form, KINDS, type LimiarForm } from './definition.ts'
import { RowsField } from './rows-field.tsx'
import type { Serie } from './serie-data.ts'

const NIVEIS: readonly Serie['nivel'][] = ['municipio', 'regiao_saude', 'estado', 'pais']

interface FieldsProps {
  form: Form
  serie: Serie | null
  problemOf(path: string): string | undefined
  set(more: Partial<Form>): void
}

/** Fields of a definition: what it is, how it is measured, what counts as plausible, where it comes from. */
export function DefinitionFields(props: FieldsProps) {
  const { form, serie, problemOf, set } = props
  const own = seriesTexts()
  const t = own.form
  const text = (
    name: 'codigo' | 'nome' | 'fonte' | 'fonte_url' | 'licenca' | 'atribuicao',
    maxLength: number,
  ) => ({
    value: form[name],
    maxLength,
    problem: problemOf(name),
    onInput: (value: string) => set({ [name]: value }),
  })
  // The service knows whether there ever was a value; a series that has some need not ask.
  const isMeasured = serie !== null && serie.valores > 0
  return (
    <>
      {serie === null && <Field label={t.codigo} note={t.codigoNote} isFirst {...text('codigo', 40)} />}
      <Field label={t.nome} isFirst={serie !== null} {...text('nome', 120)} />
      <Area
        label={t.descricao}
        value={form.descricao}
        problem={problemOf('descricao')}
        onInput={(descricao) => set({ descricao })}
      />
      <div class="two">
        <SelectField
          label={t.dominio}
          value={form.dominio}
          options={DOMINIOS.map((value) => ({ value, label: own.dominios[value] }))}
          onChange={(dominio) => set({ dominio })}
        />
        <SelectField
          label={t.tema}
          value={form.tema}
          options={TEMAS.map((value) => ({ value, label: own.temas[value] }))}
          onChange={(tema) => set({ tema })}
        />
      </div>
      {isMeasured ? <p class="note">{t.measureFixed}</p> : <Measure {...props} />}
      <Plausible {...props} />
      <fieldset class="rows-field">
        <legend>{t.provenance}</legend>
        <Field label={t.fonte} {...text('fonte', 200)} />
        <Field label={t.fonteUrl} {...text('fonte_url', 500)} />
        <Field label={t.licenca} {...text('licenca', 200)} />
        <Field label={t.atribuicao} {...text('atribuicao', 500)} />
        <Check
          label={t.publica}
          note={t.publicaNote}
          checked={form.publica}
          onChange={(publica) => set({ publica })}
        />
      </fieldset>
    </>
  )
}

function Measure({ form, problemOf, set }: FieldsProps) {
  const own = seriesTexts()
  const t = own.form
  const isCategory = form.tipo_valor === 'categoria'
  return (
    <fieldset class="rows-field">
      <legend>{t.measure}</legend>
      <SelectField
        label={t.kind}
        value={form.kind}
        options={KINDS.map((value) => ({ value, label: t.kinds[value] }))}
        onChange={(kind) => set({ kind })}
      />
      <div class="two">
        {(BASES[form.kind] as readonly BaseName[]).map((name) => (
          <Field
            key={name}
            label={t.bases[name]}
            value={form.bases[name] ?? ''}
            maxLength={40}
            problem={problemOf(`derivada.${name}`)}
            onInput={(value) => set({ bases: { ...form.bases, [name]: value } })}
          />
        ))}
        <SelectField
          label={t.tipo}
          value={form.tipo_valor}
          options={TIPOS_DE_VALOR.map((value) => ({ value, label: own.tipos[value] }))}
          onChange={(tipo_valor) => set({ tipo_valor })}
        />
        {!isCategory && (
          <Field
            label={t.unidade}
            note={t.unidadeNote}
            value={form.unidade}
            maxLength={40}
            problem={problemOf('unidade')}
            onInput={(unidade) => set({ unidade })}
          />
        )}
        <SelectField
          label={t.periodo}
          value={form.periodo}
          options={PERIODOS.map((value) => ({ value, label: own.periodos[value] }))}
          onChange={(periodo) => set({ periodo })}
        />
        <SelectField
          label={t.nivel}
          value={form.nivel}
          options={NIVEIS.map((value) => ({ value, label: own.niveis[value] }))}
          onChange={(nivel) => set({ nivel })}
        />
        <SelectField
          label={t.tempo}
          value={form.agrega_tempo}
          options={AGREGA_TEMPO.map((value) => ({ value, label: own.agregacoes[value] }))}
          onChange={(agrega_tempo) => set({ agrega_tempo })}
        />
        <SelectField
          label={t.lugar}
          value={form.agrega_lugar}
          options={AGREGA_LUGAR.map((value) => ({ value, label: own.agregacoes[value] }))}
          onChange={(agrega_lugar) => set({ agrega_lugar })}
        />
      </div>
      {isCategory && (
        <RowsField
          legend={t.categorias}
          rows={form.categorias}
          most={MOST_CATEGORIAS}
          nameOf={t.categoria}
          add={t.addCategoria}
          empty={{ codigo: '', rotulo: '' }}
          onChange={(categorias) => set({ categorias })}
        >
          {(row, at, change) =>
            (['codigo', 'rotulo'] as const).map((name) => (
              <Field
                key={name}
                label={name === 'codigo' ? t.limiarCodigo : t.rotulo}
                value={row[name]}
                maxLength={name === 'codigo' ? 40 : 80}
                problem={problemOf(`categorias.${at}.${name}`)}
                onInput={(value) => change({ [name]: value })}
              />
            ))
          }
        </RowsField>
      )}
    </fieldset>
  )
}

function Plausible({ form, problemOf, set }: FieldsProps) {
  const own = seriesTexts()
  const t = own.form
  return (
    <>
      <div class="two">
        {(['minimo', 'maximo', 'casas', 'validade'] as const).map((name) => (
          <Field
            key={name}
            label={t[name]}
            value={form[name]}
            maxLength={30}
            problem={problemOf(name)}
            onInput={(value) => set({ [name]: value })}
          />
        ))}
      </div>
      <RowsField<LimiarForm>
        legend={t.limiares}
        rows={form.limiares}
        most={MOST_LIMIARES}
        nameOf={t.limiar}
        add={t.addLimiar}
        empty={{ codigo: '', rotulo: '', operador: 'gte', valor: '', semanas: '1' }}
        onChange={(limiares) => set({ limiares })}
      >
        {(row, at, change) => {
          const field = (name: 'codigo' | 'rotulo' | 'valor' | 'semanas', label: string) => (
            <Field
              label={label}
              value={row[name]}
              maxLength={name === 'rotulo' ? 80 : 40}
              problem={problemOf(`limiares.${at}.${name}`)}
              onInput={(value) => change({ [name]: value })}
            />
          )
          return (
            <>
              {field('codigo', t.limiarCodigo)}
              {field('rotulo', t.rotulo)}
              <SelectField
                label={t.operador}
                value={row.operador}
                options={OPERADORES.map((value) => ({ value, label: own.operadores[value] }))}
                onChange={(operador) => change({ operador })}
              />
              {field('valor', t.valor)}
              {field('semanas', t.semanas)}
            </>
          )
        }}
      </RowsField>
    </>
  )
}

interface AreaProps {
  label: string
  value: string
  problem: string | undefined
  onInput(value: string): void
}

function Area({ label, value, problem, onInput }: AreaProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="input"
        rows={3}
        maxLength={1000}
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  )
}
