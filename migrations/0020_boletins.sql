-- Weekly bulletins, frozen, and the schedules that make them.

create table boletins_agendas (
  id integer generated always as identity constraint boletins_agendas__pk primary key,
  nome text not null,
  -- 0 is Sunday.
  dia_semana smallint not null constraint boletins_agendas__dia_semana__range check (dia_semana between 0 and 6),
  -- HH:MM in Brasília.
  hora text not null,
  -- Places, diseases and words of the bulletins, as they were asked for.
  pedidos jsonb not null,
  ativo boolean not null,
  -- Bulletins are made with the rights and the territory of this account.
  usuario_id integer not null constraint boletins_agendas__usuario_id__exists references usuarios on delete cascade,
  usuario_nome text not null,
  criado_em timestamptz not null,
  atualizado_em timestamptz not null,
  -- Null while it is switched off.
  proxima_em timestamptz,
  ultima_em timestamptz,
  -- Job of the last time it was due.
  ultimo_job text
);
create index boletins_agendas__proxima_em on boletins_agendas (proxima_em) where proxima_em is not null;
create index boletins_agendas__usuario on boletins_agendas (usuario_id);

-- Groups whose members get a mail.
create table boletins_agendas_grupos (
  agenda_id integer not null constraint boletins_agendas_grupos__agenda_id__exists references boletins_agendas on delete cascade,
  grupo_id integer not null constraint boletins_agendas_grupos__grupo_id__exists references grupos on delete cascade,
  constraint boletins_agendas_grupos__pk primary key (agenda_id, grupo_id)
);
create index boletins_agendas_grupos__grupo on boletins_agendas_grupos (grupo_id);

create table boletins (
  id integer generated always as identity constraint boletins__pk primary key,
  -- A disease, or `todos`.
  tipo_agravo text not null,
  nivel_lugar text not null,
  -- Parts of the place, to filter and to bound by; null where it is larger.
  estado text,
  regiao_saude integer,
  municipio integer,
  lugar_nome text not null,
  -- AAAASS.
  semana text not null,
  publico boolean not null,
  titulo text,
  -- What was asked for.
  pedido jsonb not null,
  -- Head and data as canonical JSON: `hash` is the SHA-256 of this text, byte by byte.
  conteudo json not null,
  hash text not null,
  -- Of the software.
  versao text not null,
  agenda_id integer constraint boletins__agenda_id__exists references boletins_agendas on delete set null,
  job_id text,
  criado_em timestamptz not null,
  criado_por_id integer constraint boletins__criado_por_id__exists references usuarios on delete set null,
  criado_por_nome text not null
);
create index boletins__criado_em on boletins (criado_em desc, id desc);
create index boletins__estado on boletins (estado, id desc);
create index boletins__municipio on boletins (municipio, id desc) where municipio is not null;
create index boletins__criado_por on boletins (criado_por_id) where criado_por_id is not null;
create index boletins__agenda on boletins (agenda_id) where agenda_id is not null;

-- Mail about a bulletin; it goes with it.
alter table emails_pendentes
  add column boletim_id integer constraint emails_pendentes__boletim_id__exists references boletins on delete cascade,
  add column boletim jsonb;
create index emails_pendentes__boletim on emails_pendentes (boletim_id) where boletim_id is not null;
