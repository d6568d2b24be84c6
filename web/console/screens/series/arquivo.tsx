import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { UFS, type Uf } from '../../../../src/brasil/uf.ts'
import { estadoNome } from '../../state/estados.ts'
import { activeSeries } from '../../state/series.ts'
import {
  checkSeries,
  dropSeries,
  type SeriesForm,
  type SeriesUpload,
  seriesUpload,
} from '../../state/series-upload.ts'
import { envioTexts } from '../../state/texts/envio.ts'
import { seriesImportacoesTexts } from '../../state/texts/series-importacoes.ts'
import { MAX_BYTES } from '../../state/upload.ts'
import { Button } from '../../ui/button.tsx'
import { Drop } from '../../ui/drop.tsx'
import { Field } from '../../ui/field.tsx'
import { MunicipioField } from '../../ui/municipio-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { errorText } from '../../ui/states.tsx'
import { StepHeading } from '../../ui/steps.tsx'
import type { Job } from '../../ui/use-job.ts'
import { importarHref } from './importacao-data.ts'

interface ArquivoProps {
  /** Check of an earlier file that failed. */
  failed: Job | null
  form: SeriesForm
}

/** First step: the file, and what it does not say itself. It is sent as soon as it is chosen, only to be checked. */
export function Arquivo({ failed, form: first }: ArquivoProps) {
  const t = envioTexts()
  const own = seriesImportacoesTexts()
  const { route } = useLocation()
  const [form, setForm] = useState<SeriesForm>(first)
  const [problem, setProblem] = useState<string | null>(null)
  const now = seriesUpload.value
  useEffect(() => {
    if (now?.state === 'done' && now.jobId !== null && now.jobId !== failed?.job_id)
      route(importarHref(now.form, now.jobId))
  }, [now])
  const isYear = form.ano === undefined || /^(?:19[5-9]\d|20\d\d)$/.test(form.ano)
  const send = (file: File | undefined) => {
    if (file === undefined) return
    const told =
      file.size === 0
        ? t.file.empty
        : file.size > MAX_BYTES
          ? t.file.tooLarge
          : isYear
            ? null
            : own.anoProblem
    setProblem(told)
    if (told === null) void checkSeries(file, form)
  }
  const isKept = now !== null && now.state !== 'sending' && (now.state === 'failed' || failed !== null)
  return (
    <section class="card step">
      <StepHeading>{t.file.title}</StepHeading>
      {failed !== null && (
        <Notice
          kind="error"
          text={failed.status === 'canceled' ? t.file.canceled : t.file.refused(failed.message)}
        />
      )}
      {problem !== null && <Notice kind="error" text={problem} />}
      {now?.state === 'sending' ? (
        <Sending now={now} />
      ) : (
        <>
          <FormFields form={form} isOpen={failed !== null} onChange={setForm} />
          {isKept && now.state === 'failed' && (
            <Notice kind="error" text={t.file.failed(now.file.name, errorText(now.error))} />
          )}
          {isKept && (
            <div class="kept">
              <p>{t.file.kept(now.file.name)}</p>
              <Button kind="primary" icon="retry" onClick={() => send(now.file)}>
                {t.file.again}
              </Button>
            </div>
          )}
          <Drop text={t.file.drop} formats={own.formats} onChoose={send} />
          <p class="note">{own.note}</p>
        </>
      )}
    </section>
  )
}

interface FormFieldsProps {
  form: SeriesForm
  isOpen: boolean
  onChange(form: SeriesForm): void
}

/** Fields that some layouts leave to the sender: series, place and year. */
function FormFields({ form, isOpen, onChange }: FormFieldsProps) {
  const t = seriesImportacoesTexts()
  const { data: series = [] } = useQuery(activeSeries())
  const set = (name: keyof SeriesForm, value: string) => {
    const { [name]: _before, ...rest } = form
    onChange(value === '' ? rest : { ...rest, [name]: value })
  }
  const given = series.filter(({ derivada }) => derivada === null)
  return (
    <details class="not-in-file" open={isOpen || Object.keys(form).length > 0}>
      <summary>{t.notInFile}</summary>
      <p class="note">{t.notInFileNote}</p>
      <div class="two">
        <SelectField
          label={t.serie}
          value={form.serie ?? ''}
          options={[
            { value: '', label: t.noSerie },
            ...given.map(({ codigo, nome }) => ({ value: codigo, label: `${nome} (${codigo})` })),
          ]}
          onChange={(value) => set('serie', value)}
        />
        <SelectField
          label={t.estado}
          value={form.estado ?? ''}
          options={[
            { value: '', label: t.noEstado },
            ...UFS.map((value) => ({ value: value as string, label: estadoNome(value) })),
          ]}
          onChange={(value) => set('estado', value)}
        />
        <MunicipioField
          label={t.municipio}
          value={form.municipio ?? null}
          uf={(form.estado ?? null) as Uf | null}
          onChoose={(one) => set('municipio', one?.codigo ?? '')}
          onText={(text) => set('municipio', text)}
        />
        <Field
          label={t.ano}
          value={form.ano ?? ''}
          inputMode="numeric"
          maxLength={4}
          onInput={(value) => set('ano', value.trim())}
        />
      </div>
    </details>
  )
}

function Sending({ now: { file, sent } }: { now: SeriesUpload }) {
  const t = envioTexts()
  return (
    <div class="progress">
      <p class="stage">
        <b role="status">{t.file.sending(file.name)}</b>
        <span>{t.ofBytes(sent, file.size)}</span>
      </p>
      <progress class="bar-of" max={file.size} value={sent} aria-label={t.file.sending(file.name)} />
      <p class="note">{t.file.sendingNote}</p>
      <div>
        <Button icon="close" onClick={dropSeries}>
          {t.file.stop}
        </Button>
      </div>
    </div>
  )
}
