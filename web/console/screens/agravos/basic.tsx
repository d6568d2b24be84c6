import { useState } from 'preact/hooks'
import { slug } from '../../state/slug.ts'
import { agravosTexts } from '../../state/texts/agravos.ts'
import { Check, Field } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import {
  BLOCOS_OPCIONAIS,
  type Definicao,
  type Problema,
  problemsAt,
  readPairs,
  wordsOf,
  writePairs,
} from './definicao-data.ts'

interface BasicProps {
  base: Definicao
  /** Stored already: its code is for ever. */
  isStored: boolean
  problemas: readonly Problema[]
  onChange(base: Definicao): void
}

/** Name, codes, deadlines and standard blocks of a disease. */
export function Basic({ base, isStored, problemas, onChange }: BasicProps) {
  const own = agravosTexts().basic
  const set = (part: Partial<Definicao>) => onChange({ ...base, ...part })
  const problemOf = (path: string) => problemsAt(problemas, path)[0]
  const rename = (nome: string) =>
    set({ nome, ...(!isStored && base.codigo === slug(base.nome, 40) && { codigo: slug(nome, 40) }) })
  return (
    <section class="card form">
      <h2>{own.title}</h2>
      <div class="grid">
        <Field
          label={own.nome}
          value={base.nome}
          maxLength={100}
          onInput={rename}
          problem={problemOf('nome')}
          isFirst={!isStored}
        />
        {!isStored && (
          <Field
            label={own.codigo}
            value={base.codigo}
            maxLength={40}
            onInput={(codigo) => set({ codigo })}
            problem={problemOf('codigo')}
            note={own.codigoNote}
          />
        )}
        <Words
          label={own.cid}
          words={base.cid10_codes}
          note={own.cidNote}
          problem={problemOf('cid10_codes')}
          onWords={(words) => set({ cid10_codes: words.map((one) => one.toUpperCase()) })}
        />
        <Words
          label={own.sinan}
          words={base.sinan.agravos}
          note={own.sinanNote}
          problem={problemOf('sinan.agravos')}
          onWords={(agravos) => set({ sinan: { ...base.sinan, agravos } })}
        />
        <Field
          label={own.prazo}
          value={String(base.prazo_encerramento_dias)}
          inputMode="numeric"
          maxLength={4}
          onInput={(text) => set({ prazo_encerramento_dias: Number(text.replaceAll(/\D/g, '')) })}
          problem={problemOf('prazo_encerramento_dias')}
        />
        <SelectField
          label={own.inicio}
          value={base.data_de_inicio}
          options={(['sintomas', 'diagnostico'] as const).map((value) => ({
            value,
            label: own.inicios[value],
          }))}
          onChange={(data_de_inicio) => set({ data_de_inicio })}
        />
      </div>
      <Field
        label={own.descricao}
        value={base.descricao}
        maxLength={1000}
        onInput={(descricao) => set({ descricao })}
        problem={problemOf('descricao')}
      />
      <Check
        label={own.imediata}
        checked={base.notificacao_imediata}
        onChange={(notificacao_imediata) => set({ notificacao_imediata })}
      />
      <Check
        label={own.obrigatoria}
        checked={base.notificacao_obrigatoria}
        onChange={(notificacao_obrigatoria) => set({ notificacao_obrigatoria })}
      />
      <fieldset class="plain">
        <legend>{own.blocos}</legend>
        <p class="note">{own.blocosNote}</p>
        <div class="choices-row">
          {BLOCOS_OPCIONAIS.map((bloco) => (
            <Check
              key={bloco}
              label={own.bloco[bloco]}
              checked={base.blocos.includes(bloco)}
              onChange={(isOn) =>
                set({ blocos: isOn ? [...base.blocos, bloco] : base.blocos.filter((one) => one !== bloco) })
              }
            />
          ))}
        </div>
        {problemOf('blocos') !== undefined && <p class="problem">{problemOf('blocos')}</p>}
      </fieldset>
    </section>
  )
}

interface WordsProps {
  label: string
  words: readonly string[]
  note?: string
  problem?: string | undefined
  onWords(words: string[]): void
}

/** A field of several words; the text stays as it is typed. */
export function Words({ label, words, note, problem, onWords }: WordsProps) {
  const [text, setText] = useState(words.join(', '))
  return (
    <Field
      label={label}
      value={text}
      note={note}
      problem={problem}
      onInput={(next) => {
        setText(next)
        onWords(wordsOf(next))
      }}
    />
  )
}

interface PairsProps {
  label: string
  note?: string
  pairs: Readonly<Record<string, string>>
  problem?: string | undefined
  onPairs(pairs: Record<string, string>): void
}

/** Names with a value each in one line; the text stays as it is typed. */
export function Pairs({ label, note, pairs, problem, onPairs }: PairsProps) {
  const [text, setText] = useState(writePairs(pairs))
  return (
    <Field
      label={label}
      note={note}
      value={text}
      problem={problem}
      onInput={(next) => {
        setText(next)
        onPairs(readPairs(next))
      }}
    />
  )
}
