import { useId, useState } from 'preact/hooks'
import type { QueryValue } from '../../api/rows.ts'
import { api, holds } from '../../state/session.ts'
import { exportacaoTexts } from '../../state/texts/exportacao.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check } from '../../ui/field.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Icon } from '../../ui/icon.tsx'
import { JobProgress } from '../../ui/job-progress.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import type { ColumnName } from './address.ts'
import { camposOf, type ExportColumn, orderedColumns } from './export-columns.ts'
import { type Choice, choicesOf, type Formato, isCompressible, isOfSinan } from './export-formats.ts'
import { ExtractFields, extratoBody, isComplete, NEW_EXTRATO } from './extract-fields.tsx'

interface ExportDialogProps {
  /** Parameters of the list. */
  filtros: Record<string, QueryValue>
  /** Columns that the list shows. */
  columns: readonly ColumnName[]
  total: number | undefined
  what: string
  onClose: () => void
}

/** Asks for a file of the filter, follows its making and gives the link. */
export function ExportDialog({ filtros, columns, total, what, onClose }: ExportDialogProps) {
  const t = texts()
  const [job, setJob] = useState<string | null>(null)
  return (
    <Dialog title={t.casos.exportTitle} onClose={onClose}>
      <p class="sub">
        {what}
        {total !== undefined && ` · ${t.casos.cases(total)}`}
      </p>
      {job === null ? (
        <ExportForm filtros={filtros} columns={columns} onStart={setJob} onClose={onClose} />
      ) : (
        <JobProgress
          id={job}
          label={t.casos.exportTitle}
          onClose={onClose}
          action={({ arquivo_url }) =>
            arquivo_url !== undefined && (
              <a class="button primary" href={new URL(arquivo_url).pathname} download>
                <Icon name="download" />
                {t.casos.download}
              </a>
            )
          }
          note={({ arquivo_url }) => (arquivo_url === undefined ? undefined : exportacaoTexts().downloadNote)}
        />
      )}
    </Dialog>
  )
}

interface ExportFormProps extends Pick<ExportDialogProps, 'filtros' | 'columns' | 'onClose'> {
  onStart(job: string): void
}

function ExportForm({ filtros, columns, onStart, onClose }: ExportFormProps) {
  const t = texts()
  const own = exportacaoTexts()
  const [choice, setChoice] = useState<Choice>(choicesOf()[0] ?? 'csv')
  const [compactado, setCompactado] = useState(false)
  const [identificado, setIdentificado] = useState(false)
  const [columnsOf, setColumnsOf] = useState<ColumnsOf>('todas')
  const [chosen, setChosen] = useState<ReadonlySet<ExportColumn>>(() => new Set(camposOf(columns, true)))
  const [extrato, setExtrato] = useState(NEW_EXTRATO)
  const [isTried, setTried] = useState(false)
  const { form, isSending, error, submit } = useSending(async () => {
    setTried(true)
    if (hasNoColumn) return focusFirstProblem(form.current)
    if (choice !== 'extrato') return onStart(await startExport(choice))
    if (!isComplete(extrato)) return focusFirstProblem(form.current)
    const body = { ...extratoBody(extrato), filtros }
    onStart((await api.post('/api/v1/agravos/casos/extratos', { body })).job_id)
  })

  const campos = {
    todas: undefined,
    lista: camposOf(columns, identificado),
    escolhidas: orderedColumns(chosen, identificado),
  }[choice === 'extrato' || isOfSinan(choice) ? 'todas' : columnsOf]
  const hasNoColumn = campos?.length === 0

  async function startExport(formato: Formato): Promise<string> {
    const body = {
      formato,
      filtros,
      ...(compactado && isCompressible(formato) && { compactacao: 'gzip' as const }),
      ...(identificado && { identificado }),
      ...(campos !== undefined && { campos }),
    }
    return (await api.post('/api/v1/agravos/casos/exportar', { body })).job_id
  }

  return (
    <form class="form" ref={form} onSubmit={submit}>
      {error !== null && <Refusal error={error} />}
      <Choices choice={choice} hasDisease={filtros.tipo_agravo !== undefined} onChange={setChoice} />
      {choice === 'extrato' ? (
        <ExtractFields extrato={extrato} isTried={isTried} onChange={setExtrato} />
      ) : (
        <>
          {isCompressible(choice) && (
            <Check
              label={own.compressed}
              note={own.compressedNote}
              checked={compactado}
              onChange={setCompactado}
            />
          )}
          {!isOfSinan(choice) && <ColumnsOfFile value={columnsOf} onChange={setColumnsOf} />}
          {!isOfSinan(choice) && columnsOf === 'escolhidas' && (
            <OnDemand
              load={() => import('./export-choice.tsx')}
              props={{
                chosen,
                isIdentified: identificado,
                problem: isTried && hasNoColumn ? own.noColumn : undefined,
                onChange: setChosen,
              }}
            />
          )}
          {holds(['agravos.identificar']) && (
            <Check
              label={own.identifiedExport}
              note={own.identifiedNote}
              checked={identificado}
              onChange={setIdentificado}
            />
          )}
        </>
      )}
      <div class="row">
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button type="submit" kind="primary" aria-disabled={isSending}>
          {t.casos.export}
        </Button>
      </div>
    </form>
  )
}

const COLUMNS_OF = ['todas', 'lista', 'escolhidas'] as const
type ColumnsOf = (typeof COLUMNS_OF)[number]

function ColumnsOfFile({ value, onChange }: { value: ColumnsOf; onChange(value: ColumnsOf): void }) {
  const own = exportacaoTexts()
  const id = useId()
  return (
    <fieldset class="choices">
      <legend>{own.columns}</legend>
      {COLUMNS_OF.map((one) => (
        <label key={one}>
          <input type="radio" name={id} checked={one === value} onChange={() => onChange(one)} />
          <span>
            {own.columnsOf[one]}
            <small>{own.columnsNotes[one]}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

interface ChoicesProps {
  choice: Choice
  /** The filter names one disease, as the forms of SINAN need it. */
  hasDisease: boolean
  onChange(choice: Choice): void
}

function Choices({ choice, hasDisease, onChange }: ChoicesProps) {
  const t = texts().casos
  const own = exportacaoTexts()
  const id = useId()
  return (
    <fieldset class="choices">
      <legend>{t.format}</legend>
      {choicesOf().map((one) => {
        const isOff = isOfSinan(one) && !hasDisease
        return (
          <label key={one}>
            <input
              type="radio"
              name={id}
              checked={one === choice}
              disabled={isOff}
              onChange={() => onChange(one)}
            />
            <span>
              {t.formats[one]}
              <small>{isOff ? own.oneDisease : own.formatNotes[one]}</small>
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}
