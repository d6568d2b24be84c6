import { valorWords } from '../../state/filter-words.ts'
import { agravosTexts } from '../../state/texts/agravos.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Words } from './basic.tsx'
import { CAMPOS_PADRAO, type Definicao, type Problema, problemsAt } from './definicao-data.ts'
import { NumberField } from './fields.tsx'
import { Layouts } from './layouts.tsx'

interface AdvancedProps {
  base: Definicao
  /** Names and labels of own fields. */
  proprios: readonly { nome: string; rotulo: string }[]
  problemas: readonly Problema[]
  onChange(base: Definicao): void
}

/** Files and statistics of a disease: what most definitions take over from their model. Open where a problem is in it. */
export function Advanced({ base, proprios, problemas, onChange }: AdvancedProps) {
  const own = agravosTexts().advanced
  const isWrong = [
    'sinan.prefixos',
    'sinan.arquivo',
    'sinan.colunas',
    'layouts',
    'epidemiologia',
    'classificacao_padrao',
    'fonte',
  ].some((path) => problemsAt(problemas, path).length > 0)
  return (
    <section class="card form">
      <details class="avancado" open={isWrong}>
        <summary>
          <h2>{own.title}</h2>
        </summary>
        <p class="note">{own.lead}</p>
        <Sinan base={base} problemas={problemas} onChange={onChange} />
        <Epidemiologia base={base} problemas={problemas} onChange={onChange} />
        <Layouts
          layouts={base.layouts}
          proprios={proprios}
          problemas={problemas}
          onChange={(layouts) => onChange({ ...base, layouts })}
        />
      </details>
    </section>
  )
}

type PartProps = Omit<AdvancedProps, 'proprios'>

/** Prefixes, files and the columns of standard fields that are elsewhere than usual. */
function Sinan({ base, problemas, onChange }: PartProps) {
  const t = texts()
  const own = agravosTexts().advanced
  const { sinan } = base
  const set = (part: Partial<Definicao['sinan']>) => onChange({ ...base, sinan: { ...sinan, ...part } })
  const colunas = Object.entries(sinan.colunas)
  const write = (rows: readonly (readonly [string, string | null])[]) =>
    set({ colunas: Object.fromEntries(rows) })
  const left = CAMPOS_PADRAO.filter(({ folha }) => !Object.hasOwn(sinan.colunas, folha))
  const labelOf = (folha: string) => {
    const found = CAMPOS_PADRAO.find((one) => one.folha === folha || one.nome === folha)
    return found === undefined ? folha : t.campos[found.nome]
  }
  return (
    <fieldset class="plain">
      <legend>{own.sinan}</legend>
      <div class="grid">
        <Words
          label={own.prefixos}
          note={own.prefixosNote}
          words={sinan.prefixos}
          problem={problemsAt(problemas, 'sinan.prefixos')[0]}
          onWords={(prefixos) => set({ prefixos })}
        />
        <Field
          label={own.arquivo}
          note={own.arquivoNote}
          value={sinan.arquivo ?? ''}
          maxLength={10}
          problem={problemsAt(problemas, 'sinan.arquivo')[0]}
          onInput={(text) => {
            const { arquivo: _, ...rest } = sinan
            onChange({ ...base, sinan: text === '' ? rest : { ...rest, arquivo: text.toUpperCase() } })
          }}
        />
      </div>
      <h3>{own.colunas}</h3>
      <p class="note">{own.colunasNote}</p>
      {colunas.map(([folha, coluna], at) => (
        <div class="codigo" key={folha}>
          <b>{labelOf(folha)}</b>
          <Field
            label={own.colunaOf(labelOf(folha))}
            value={coluna ?? ''}
            maxLength={100}
            problem={problemsAt(problemas, `sinan.colunas.${folha}`)[0]}
            onInput={(text) =>
              write(
                colunas.map((one, i) => (i === at ? [folha, text === '' ? null : text.toUpperCase()] : one)),
              )
            }
          />
          <Button
            kind="quiet"
            icon="close"
            aria-label={own.removeColuna(labelOf(folha))}
            onClick={() => write(colunas.filter((_, i) => i !== at))}
          >
            {''}
          </Button>
        </div>
      ))}
      <SelectField
        label={own.addColuna}
        value=""
        options={[
          { value: '', label: own.choose },
          ...left.map(({ folha, nome }) => ({ value: folha, label: t.campos[nome] })),
        ]}
        onChange={(folha: string) => folha !== '' && write([...colunas, [folha, null]])}
      />
    </fieldset>
  )
}

/** Weekly routes, alerts, the generation interval, and the classification of new cases. */
function Epidemiologia({ base, problemas, onChange }: PartProps) {
  const t = texts()
  const own = agravosTexts().advanced
  const { epidemiologia } = base
  const { intervalo_geracao: intervalo } = epidemiologia
  const set = (part: Partial<Definicao['epidemiologia']>) =>
    onChange({ ...base, epidemiologia: { ...epidemiologia, ...part } })
  const told = ['epidemiologia', 'classificacao_padrao'].flatMap((path) => problemsAt(problemas, path))
  return (
    <fieldset class="plain">
      <legend>{own.epidemiologia}</legend>
      <div class="choices-row">
        <Check label={own.curva} checked={epidemiologia.curva} onChange={(curva) => set({ curva })} />
        <Check
          label={own.alertas}
          note={own.alertasNote}
          checked={epidemiologia.alertas}
          onChange={(alertas) => set({ alertas })}
        />
        <Check
          label={own.intervalo}
          note={own.intervaloNote}
          checked={intervalo !== null}
          onChange={(isOn) => set({ intervalo_geracao: isOn ? { media: 3, desvio: 1 } : null })}
        />
      </div>
      <div class="grid">
        {intervalo !== null && (
          <>
            <NumberField
              label={own.media}
              value={intervalo.media}
              onNumber={(media) => set({ intervalo_geracao: { ...intervalo, media } })}
            />
            <NumberField
              label={own.desvio}
              value={intervalo.desvio}
              onNumber={(desvio) => set({ intervalo_geracao: { ...intervalo, desvio } })}
            />
          </>
        )}
        <SelectField
          label={own.padrao}
          note={own.padraoNote}
          value={base.classificacao_padrao ?? ''}
          options={[
            { value: '', label: own.semPadrao },
            ...base.classificacoes.map(({ codigo, rotulo }) => ({
              value: codigo,
              label: rotulo ?? valorWords(codigo, t),
            })),
          ]}
          onChange={(codigo: string) => {
            const { classificacao_padrao: _, ...rest } = base
            onChange(codigo === '' ? rest : { ...rest, classificacao_padrao: codigo })
          }}
        />
        <Field
          label={own.fonte}
          value={base.fonte}
          maxLength={500}
          problem={problemsAt(problemas, 'fonte')[0]}
          onInput={(fonte) => onChange({ ...base, fonte })}
        />
      </div>
      {told[0] !== undefined && <p class="problem">{told[0]}</p>}
    </fieldset>
  )
}
