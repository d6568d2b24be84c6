import { useId, useRef, useState } from 'preact/hooks'
import { holds } from '../../state/session.ts'
import { auditoriaTexts } from '../../state/texts/auditoria.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Choices, Pill } from '../../ui/filter-bar.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useKeys } from '../../ui/keys.ts'
import { UsuarioField } from '../../ui/usuario-field.tsx'
import { type AuditFilters, auditPath, NO_FILTERS, THEME_NAMES } from './address.ts'

interface AuditFilterBarProps {
  filters: AuditFilters
  /** Of the actor, once one of their records is there. */
  nome: string | undefined
  onChange(next: AuditFilters): void
}

const nothing = () => undefined

/** Subject, record, period, actor, address; the actor as a chip for those who may list no accounts and choose it in the list. */
export function AuditFilterBar({ filters, nome, onChange }: AuditFilterBarProps) {
  const t = texts()
  const own = auditoriaTexts()
  const bar = useRef<HTMLDivElement>(null)
  const { tema, recurso, id, ator, ip, de, ate } = filters
  const mayChoose = holds(['usuarios.listar'])
  useKeys({ '/': () => bar.current?.querySelector('button')?.focus() })
  const set = (next: Partial<AuditFilters>) => onChange({ ...filters, ...next })
  const period = [de === null ? '' : own.from(de), ate === null ? '' : own.to(ate)].filter(Boolean).join(' ')
  const name = recurso === null ? own.anyResource : (own.resources[recurso] ?? recurso)
  return (
    <div class="filter-area">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a row */}
      <div class="filters" role="group" aria-label={t.filtros.bar} ref={bar}>
        <Pill
          name={own.theme}
          value={tema === null ? own.anyTheme : own.themes[tema]}
          isOn={tema !== null}
          onOpen={nothing}
          panel={(close) => (
            <Choices
              label={own.theme}
              value={tema ?? ''}
              options={[
                { value: '', label: own.anyTheme },
                ...THEME_NAMES.map((value) => ({ value, label: own.themes[value] })),
              ]}
              onChange={(value) => set({ tema: THEME_NAMES.find((one) => one === value) ?? null })}
              close={close}
            />
          )}
        />
        <Pill
          name={own.resource}
          value={id === null ? name : `${name} ${id}`}
          isOn={recurso !== null}
          onOpen={nothing}
          panel={(close) => <ResourcePanel filters={filters} set={set} close={close} />}
        />
        <Pill
          name={own.period}
          value={period === '' ? own.anyTime : period}
          isOn={period !== ''}
          onOpen={nothing}
          panel={(close) => <PeriodPanel filters={filters} set={set} close={close} />}
        />
        {mayChoose && (
          <Pill
            name={own.who}
            value={ator === null ? own.anyone : (nome ?? own.account(ator))}
            isOn={ator !== null}
            onOpen={nothing}
            panel={(close) => <WhoPanel set={set} close={close} />}
          />
        )}
        <Pill
          name={own.ip}
          value={ip ?? own.anyIp}
          isOn={ip !== null}
          onOpen={nothing}
          panel={(close) => <IpPanel filters={filters} set={set} close={close} />}
        />
        {auditPath(filters) !== auditPath(NO_FILTERS) && (
          <Button kind="quiet" onClick={() => onChange(NO_FILTERS)}>
            {t.filtros.clear}
          </Button>
        )}
      </div>
      {ator !== null && !mayChoose && (
        <ul class="chips" aria-label={t.filtros.chosen}>
          <li>
            <button
              type="button"
              class="chip"
              aria-label={t.filtros.remove(own.who)}
              onClick={() => set({ ator: null })}
            >
              <span>
                {own.who}: <b>{nome ?? own.account(ator)}</b>
              </span>
              <Icon name="close" />
            </button>
          </li>
        </ul>
      )}
    </div>
  )
}

interface PanelProps {
  filters: AuditFilters
  set(next: Partial<AuditFilters>): void
  close(): void
}

function ResourcePanel({ filters, set, close }: PanelProps) {
  const own = auditoriaTexts()
  const [recurso, setRecurso] = useState(filters.recurso ?? '')
  const [id, setId] = useState(filters.id ?? '')
  const key = useId()
  return (
    <form
      class="form in-panel"
      onSubmit={(event) => {
        event.preventDefault()
        close()
        set({ recurso: recurso || null, id: recurso === '' ? null : id.trim() || null })
      }}
    >
      <div class="field">
        <label for={`${key}-recurso`}>{own.resource}</label>
        <select
          id={`${key}-recurso`}
          class="input"
          value={recurso}
          onChange={(event) => setRecurso(event.currentTarget.value)}
        >
          <option value="">{own.anyResource}</option>
          {Object.entries(own.resources).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for={`${key}-id`}>{own.number}</label>
        <input
          id={`${key}-id`}
          class="input"
          maxLength={100}
          value={id}
          onInput={(event) => setId(event.currentTarget.value)}
        />
      </div>
      <Button type="submit" kind="primary">
        {own.apply}
      </Button>
    </form>
  )
}

function WhoPanel({ set, close }: Omit<PanelProps, 'filters'>) {
  const own = auditoriaTexts()
  return (
    <div class="form in-panel">
      <UsuarioField
        label={own.who}
        value={null}
        onChange={(pessoa) => {
          close()
          set({ ator: pessoa && String(pessoa.id) })
        }}
        hint={own.whoHint}
        none={own.whoNone}
      />
      <Button
        onClick={() => {
          close()
          set({ ator: null })
        }}
      >
        {own.anyone}
      </Button>
    </div>
  )
}

function IpPanel({ filters, set, close }: PanelProps) {
  const own = auditoriaTexts()
  const [ip, setIp] = useState(filters.ip ?? '')
  const key = useId()
  return (
    <form
      class="form in-panel"
      onSubmit={(event) => {
        event.preventDefault()
        close()
        set({ ip: ip.trim() || null })
      }}
    >
      <div class="field">
        <label for={key}>{own.ip}</label>
        <input
          id={key}
          class="input"
          maxLength={45}
          value={ip}
          onInput={(event) => setIp(event.currentTarget.value)}
        />
      </div>
      <Button type="submit" kind="primary">
        {own.apply}
      </Button>
    </form>
  )
}

function PeriodPanel({ filters, set, close }: PanelProps) {
  const own = auditoriaTexts()
  const [de, setDe] = useState(filters.de ?? '')
  const [ate, setAte] = useState(filters.ate ?? '')
  return (
    <form
      class="form in-panel"
      onSubmit={(event) => {
        event.preventDefault()
        close()
        set({ de: de || null, ate: ate || null })
      }}
    >
      <Day label={own.since} value={de} onInput={setDe} />
      <Day label={own.until} value={ate} onInput={setAte} />
      <Button type="submit" kind="primary">
        {own.apply}
      </Button>
    </form>
  )
}

function Day({ label, value, onInput }: { label: string; value: string; onInput(value: string): void }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="date"
        class="input"
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  )
}
