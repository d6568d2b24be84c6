import { useEffect, useId, useState } from 'preact/hooks'
import { ESTADOS_IBGE, type Uf } from '../../../../src/brasil/uf.ts'
import { TIPOS_AGRAVO } from '../../../../src/domain/casos/enumeracoes.ts'
import { api, cache } from '../../state/session.ts'
import { boletinsTexts } from '../../state/texts/boletins.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { useSending } from '../../ui/form.ts'
import { JobProgress } from '../../ui/job-progress.tsx'
import { MunicipioField } from '../../ui/municipio-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import { boletimHref } from './boletim-texts.ts'

type Agravo = (typeof TIPOS_AGRAVO)[number] | 'todos'
const MAX_TITULO = 200

/** Asks for a bulletin of the last ended week, follows its making and leads to it. */
export function NewDialog({ onClose }: { onClose(): void }) {
  const t = texts()
  const own = boletinsTexts()
  const [agravo, setAgravo] = useState<Agravo>('dengue')
  const [uf, setUf] = useState<Uf | ''>('')
  const [municipio, setMunicipio] = useState<string | null>(null)
  const [titulo, setTitulo] = useState('')
  const [publico, setPublico] = useState(false)
  const [job, setJob] = useState<string | null>(null)
  const { form, isSending, error, submit } = useSending(async () => {
    const lugar = municipio !== null ? { municipio } : uf === '' ? {} : { estado: uf }
    const texto = titulo.trim() === '' ? {} : { texto: { titulo: titulo.trim() } }
    const body = { tipo_agravo: agravo, ...lugar, publico, ...texto }
    setJob((await api.post('/api/v1/agravos/boletins', { body })).job_id)
  })
  return (
    <Dialog title={own.new} onClose={onClose}>
      {job !== null ? (
        <JobProgress id={job} label={own.new} onClose={onClose} action={(done) => <Made job={done} />} />
      ) : (
        <form class="form" ref={form} onSubmit={submit}>
          {error !== null && <Notice kind="error" text={errorText(error)} />}
          <Select
            label={own.agravo}
            value={agravo}
            options={[
              ...TIPOS_AGRAVO.map((value): { value: Agravo; label: string } => ({
                value,
                label: t.valores[value],
              })),
              { value: 'todos', label: own.everyAgravo },
            ]}
            onChange={(value: Agravo) => setAgravo(value)}
          />
          <Select
            label={own.estado}
            value={uf}
            options={[
              { value: '', label: own.brasil },
              ...ESTADOS_IBGE.map(({ uf, nome }) => ({ value: uf as Uf | '', label: nome })),
            ]}
            onChange={(value) => {
              setUf(value)
              setMunicipio(null)
            }}
          />
          {uf !== '' && (
            <MunicipioField
              label={own.municipio}
              value={municipio}
              uf={uf}
              onChoose={(one) => setMunicipio(one?.codigo ?? null)}
              onText={() => setMunicipio(null)}
            />
          )}
          <Field label={own.titulo} value={titulo} maxLength={MAX_TITULO} onInput={setTitulo} />
          <Check label={own.publish} note={own.publishNote} checked={publico} onChange={setPublico} />
          <p class="note">{own.weekNote}</p>
          <div class="row">
            <Button onClick={onClose}>{t.app.cancel}</Button>
            <Button type="submit" kind="primary" aria-disabled={isSending}>
              {own.make}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

/** Leads to the bulletin; the list is asked for again, once. */
function Made({ job: { status, result } }: { job: { status: string; result?: unknown } }) {
  const { boletim_id = null } = (result ?? {}) as { boletim_id?: number | null }
  const isMade = status === 'completed' && boletim_id !== null
  useEffect(() => {
    if (isMade) void cache.invalidateQueries({ queryKey: ['boletins', 'list'] })
  }, [isMade])
  if (!isMade) return null
  return (
    <a class="button primary" href={boletimHref(boletim_id)}>
      {boletinsTexts().open}
    </a>
  )
}

interface SelectProps<V extends string> {
  label: string
  value: V
  options: readonly { value: V; label: string }[]
  onChange(value: V): void
}

function Select<V extends string>({ label, value, options, onChange }: SelectProps<V>) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value as V)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
