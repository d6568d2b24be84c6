import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { UFS, type Uf } from '../../../../src/brasil/uf.ts'
import { estadoNome } from '../../state/estados.ts'
import type { UploadForm } from '../../state/file-upload.ts'
import { activeSeries } from '../../state/series.ts'
import type { SeriesForm } from '../../state/series-upload.ts'
import { seriesImportacoesTexts } from '../../state/texts/series-importacoes.ts'
import { Field } from '../../ui/field.tsx'
import { ImportFile } from '../../ui/import-file.tsx'
import { MunicipioField } from '../../ui/municipio-field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import type { Job } from '../../ui/use-job.ts'
import { SERIES_IMPORT } from './importacao-data.ts'

interface ArquivoProps {
  /** Check of an earlier file that failed. */
  failed: Job | null
  form: SeriesForm
}

/** First step: the file, and what it does not say itself. */
export function Arquivo({ failed, form: first }: ArquivoProps) {
  const own = seriesImportacoesTexts()
  const [form, setForm] = useState<SeriesForm>(first)
  const isYear = form.ano === undefined || /^(?:19[5-9]\d|20\d\d)$/.test(form.ano)
  return (
    <ImportFile
      target={SERIES_IMPORT}
      failed={failed}
      form={form as UploadForm}
      formats={own.formats}
      note={own.note}
      problemOf={() => (isYear ? null : own.anoProblem)}
    >
      <FormFields form={form} isOpen={failed !== null} onChange={setForm} />
    </ImportFile>
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
