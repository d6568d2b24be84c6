import { useId } from 'preact/hooks'
import { exportacaoTexts } from '../../state/texts/exportacao.ts'
import { Check, Field } from '../../ui/field.tsx'

const KS = [5, 10, 20] as const
type K = (typeof KS)[number]

/** Answers of a request for a research extract; the audit keeps purpose and recipient. */
export interface Extrato {
  k: K
  finalidade: string
  orgao: string
  protocolo: string
  parquet: boolean
}
export const NEW_EXTRATO: Extrato = { k: 5, finalidade: '', orgao: '', protocolo: '', parquet: false }

/** Lengths that the service asks for. */
const LENGTHS = { finalidade: [10, 500], orgao: [3, 200], protocolo: [3, 100] } as const

const isShort = (text: string, nome: keyof typeof LENGTHS) => text.trim().length < LENGTHS[nome][0]

export const isComplete = ({ finalidade, orgao, protocolo }: Extrato): boolean =>
  !isShort(finalidade, 'finalidade') &&
  !isShort(orgao, 'orgao') &&
  (protocolo.trim() === '' || !isShort(protocolo, 'protocolo'))

export function extratoBody({ k, finalidade, orgao, protocolo, parquet }: Extrato) {
  return {
    formato: parquet ? ('parquet' as const) : ('csv' as const),
    k,
    finalidade: finalidade.trim(),
    orgao: orgao.trim(),
    ...(protocolo.trim() !== '' && { protocolo_etica: protocolo.trim() }),
  }
}

interface ExtractFieldsProps {
  extrato: Extrato
  /** Sent once: what is missing is said from then on. */
  isTried: boolean
  onChange(extrato: Extrato): void
}

export function ExtractFields({ extrato, isTried, onChange }: ExtractFieldsProps) {
  const t = exportacaoTexts()
  const id = useId()
  const change = (part: Partial<Extrato>) => onChange({ ...extrato, ...part })
  const field = (nome: keyof typeof LENGTHS, isOptional = false) => {
    const [least, most] = LENGTHS[nome]
    const isMissing = isShort(extrato[nome], nome) && !(isOptional && extrato[nome].trim() === '')
    return (
      <Field
        label={t.extract[nome]}
        value={extrato[nome]}
        maxLength={most}
        autocomplete="off"
        problem={isTried && isMissing ? t.extractShort(least) : undefined}
        onInput={(value) => change({ [nome]: value })}
      />
    )
  }
  return (
    <>
      <p class="note">{t.extractNote}</p>
      {field('finalidade')}
      {field('orgao')}
      {field('protocolo', true)}
      <div class="field">
        <label for={id}>{t.extractK}</label>
        <select
          id={id}
          class="input"
          value={String(extrato.k)}
          onChange={(event) => change({ k: Number(event.currentTarget.value) as K })}
        >
          {KS.map((k) => (
            <option key={k} value={String(k)}>
              {k}
            </option>
          ))}
        </select>
      </div>
      <Check label={t.extractParquet} checked={extrato.parquet} onChange={(parquet) => change({ parquet })} />
    </>
  )
}
